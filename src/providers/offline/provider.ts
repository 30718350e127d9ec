import { setTimeout as wait } from 'node:timers/promises';
import type { Provider, ProviderReply, ProviderRequest, SendOptions } from '../port';
import { drawPicture } from './artist/draw';
import { answerOffline } from './text/answer';
import { openTill, type Till } from './till';

export interface OfflineProviderOptions {
  /** How much later than it could an answer comes, in milliseconds. */
  readonly delayMs: number;
  /** File of the till, or undefined: nothing is booked. */
  readonly till: string | undefined;
  /** What each call costs, in US dollars (`offline.priceUsd`). */
  readonly priceUsd: number;
  /** Milliseconds since 1970, for the till's lines. */
  readonly nowMs?: () => number;
}

export interface OfflineProvider extends Provider {
  /** The same provider (its limits, its till) at another price, in US dollars: prices belong to projects. */
  withPrice(priceUsd: number): OfflineProvider;
}

/** Four pictures at once: while one is compressed off the main thread, the next is drawn. */
const LIMITS = { concurrentCalls: 4, callsPerMinute: 60_000 } as const;

/**
 * The embedded default (spec 40 "Offline"): writes and draws by itself, without key or network. The same key gets the same
 * bytes and is charged once, so a killed call can simply be sent again.
 */
export function createOfflineProvider(options: OfflineProviderOptions): OfflineProvider {
  return priced(options, options.till === undefined ? undefined : openTill(options.till));
}

function priced(options: OfflineProviderOptions, till: Till | undefined): OfflineProvider {
  return {
    name: 'offline',
    honoursIdempotencyKey: true,
    limits: LIMITS,
    estimateUsd: () => options.priceUsd,
    withPrice: (priceUsd) => priced({ ...options, priceUsd }, till),
    send: (request, send) => answer(request, send, options, till),
  };
}

async function answer(
  request: ProviderRequest,
  send: SendOptions,
  { delayMs, priceUsd, nowMs = Date.now }: OfflineProviderOptions,
  till: Till | undefined,
): Promise<ProviderReply> {
  if (send.deadline.aborted)
    return {
      outcome: 'not_charged',
      code: 'provider.unavailable',
      message: 'The deadline had passed before the call began.',
    };
  let made: { content: Uint8Array; contentType: string };
  try {
    made = await make(request);
    // Booked before the wait, so that a call that is cut in the middle really has been charged.
    await till?.charge({
      key: send.idempotencyKey,
      step: send.label.stepId,
      item: send.label.itemId,
      usd: priceUsd,
      at: new Date(nowMs()).toISOString(),
    });
  } catch (error) {
    return {
      outcome: 'not_charged',
      code: 'provider.unavailable',
      message: error instanceof Error ? error.message : String(error),
    };
  }
  if (!(await waited(delayMs, send.deadline)))
    return { outcome: 'in_doubt', message: `The deadline passed while the answer was held back for ${delayMs} ms.` };
  return {
    outcome: 'answer',
    ...made,
    costUsd: priceUsd,
    usage: request.kind === 'image' ? { images: 1 } : {},
    providerRequestId: `offline-${send.idempotencyKey.slice(0, 24)}`,
  };
}

async function make(request: ProviderRequest): Promise<{ content: Uint8Array; contentType: string }> {
  if (request.kind === 'image') return { content: await drawPicture(request), contentType: 'image/png' };
  return {
    content: Buffer.from(JSON.stringify(answerOffline(request.task, request.input))),
    contentType: 'application/json',
  };
}

/** False: the deadline came first. */
async function waited(delayMs: number, deadline: AbortSignal): Promise<boolean> {
  if (delayMs > 0)
    try {
      await wait(delayMs, undefined, { signal: deadline });
    } catch (error) {
      if (deadline.aborted) return false;
      throw error;
    }
  return !deadline.aborted;
}
