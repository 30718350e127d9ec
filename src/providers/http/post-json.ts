import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';

export type Exchange =
  | {
      readonly exchange: 'response';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
    }
  /** No connection came about: certainly nothing was received. */
  | { readonly exchange: 'never_left'; readonly message: string }
  /** It may have left, and no whole response came back. */
  | { readonly exchange: 'unclear'; readonly message: string };

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Far above any picture; a server that never stops must not fill the memory. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

function describe(error: unknown, signal: AbortSignal): string {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason.message;
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.message || 'connection failed'} (${String(error.code)})` : error.message;
}

function readBody(response: IncomingMessage, done: (body: Buffer) => void, broken: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) response.destroy(new Error(`the answer is longer than ${MAX_BODY_BYTES} bytes`));
    else chunks.push(chunk);
  });
  response.on('error', broken);
  response.on('aborted', () => broken(new Error('the connection was cut in the middle of the answer')));
  response.on('end', () =>
    response.complete ? done(Buffer.concat(chunks)) : broken(new Error('the answer is cut short')),
  );
}

/**
 * One POST on a connection of its own, never repeated, redirects not followed. node:http instead of fetch: it tells whether the
 * connection came about, which decides between *not charged* and *in doubt*, it has no timeout below the call's deadline, and
 * a fresh connection cannot be one that the server is just closing. Never throws.
 */
export function postJson({ url, headers, body, signal }: Post): Promise<Exchange> {
  return new Promise((resolve) => {
    let connected = false;
    const fail = (error: unknown): void =>
      resolve({ exchange: connected ? 'unclear' : 'never_left', message: describe(error, signal) });
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: false,
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    request.on('error', fail);
    request.on('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    request.on('response', (response) => {
      // The status alone settles a 4xx or 5xx: a body that breaks off leaves nothing in doubt then.
      const status = response.statusCode ?? 0;
      const answer = (content: Buffer): void =>
        resolve({ exchange: 'response', status, headers: response.headers, body: content });
      readBody(response, answer, (error) => (status >= 400 ? answer(Buffer.alloc(0)) : fail(error)));
    });
    request.end(body);
  });
}
