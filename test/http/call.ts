import type { ProblemBody } from '../../src/bodies/problem';

export interface Called<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  readonly body: T;
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes go as they are; anything else as JSON. */
  readonly body?: unknown;
}

/** Calls the API over a real socket. A body that is no JSON stays text. */
export async function call<T = ProblemBody>(
  method: string,
  url: string,
  { token, headers, body }: CallOptions = {},
): Promise<Called<T>> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    headers: response.headers,
    type,
    body: (type.includes('json') ? JSON.parse(text) : text) as T,
  };
}

/** A screenplay, as a person sends a file. */
export function putScreenplay(
  episodeUrl: string,
  text: string,
  token?: string,
): Promise<Called<{ created: boolean; changed: boolean }>> {
  return call('PUT', episodeUrl, { token, body: text, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
