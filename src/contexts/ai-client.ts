import type { AiSettings } from '../config';
import type { AskFailure } from '../domain/context-stages';
import type { AiRequest } from './ai-request';
import { RequestQueue } from './request-queue';

export type SendOutcome =
  { readonly sent: true } | { readonly sent: false; readonly reason: AskFailure; readonly detail: string };

/** Resolves with what became of the request; never rejects. `stop` gives up. */
export type Send = (request: AiRequest, stop?: AbortSignal) => Promise<SendOutcome>;

export interface AiClient {
  /**
   * Runs `work` when its turn has come: a few at once, the others wait in a queue. Where that is full, or no service is known, it
   * runs at once, and `send` says why nothing can be sent. What waits holds no request, so it is to be built inside.
   */
  inTurn<T>(work: (send: Send) => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

/** Of an answer that is no 202, this much is kept to tell people. */
const DETAIL_CHARACTERS = 200;

const failed = (reason: AskFailure, detail: string): SendOutcome => ({ sent: false, reason, detail });

/**
 * The AI service over HTTP (spec 30): a few requests at once, a queue of bounded length, a time limit for each. 202 is the only
 * answer that counts as taken on; a redirect is not followed, since it would carry the secret elsewhere.
 */
export function createAiClient(settings: AiSettings): AiClient {
  const queue = new RequestQueue(settings);
  return {
    inTurn: (work) => {
      const { url } = settings;
      if (url === undefined) return work(async () => failed('not_configured', 'AI_URL is not set'));
      return (
        queue.run(() => work((request, stop) => post(settings, url, request, stop))) ??
        work(async () => failed('queue_full', `${settings.queueLength} requests wait already`))
      );
    },
    idle: () => queue.idle(),
  };
}

async function post(
  settings: AiSettings,
  url: string,
  request: AiRequest,
  stop: AbortSignal | undefined,
): Promise<SendOutcome> {
  if (stop?.aborted) return failed('stopped', 'this process was asked to stop before the request left');
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  try {
    const response = await fetch(new URL('requests', url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': request.requestId,
        ...(settings.secret === undefined ? {} : { authorization: `Bearer ${settings.secret}` }),
      },
      body: JSON.stringify(request),
      redirect: 'manual',
      signal: stop ? AbortSignal.any([timeout, stop]) : timeout,
    });
    if (response.status === 202) {
      await response.body?.cancel();
      return { sent: true };
    }
    return failed(reasonOf(response.status), `HTTP ${response.status} ${await beginningOf(response)}`.trim());
  } catch (error) {
    if (stop?.aborted) return failed('stopped', 'this process was asked to stop');
    if (timeout.aborted) return failed('timeout', `no answer within ${settings.timeoutMs} ms`);
    return failed('unreachable', causeOf(error));
  }
}

function reasonOf(status: number): AskFailure {
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'server_error' : 'refused';
}

/** The first characters of an answer; the rest is not read, however long it is. */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= DETAIL_CHARACTERS) break; // ends the connection, too
  }
  return text.slice(0, DETAIL_CHARACTERS);
}

/** `fetch failed` says nothing: what the socket said is in the cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? `${cause.code} ${cause.message}`.trim() : cause.message;
}
