import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the fake does with one request instead of answering it well. */
export type Fault =
  /** A status with the vendor's error body, or with `body` as it is. Charges nothing. */
  | {
      readonly fault: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly code?: string;
      readonly message?: string;
      readonly body?: string;
    }
  /** Charges, then cuts the connection without an answer. */
  | { readonly fault: 'cut' }
  /** Charges, sends half of the answer, then cuts. */
  | { readonly fault: 'cut_in_body' }
  /** Charges, and answers only when `release()` is called. */
  | { readonly fault: 'hold' }
  /** Charges, and answers 200 with a page of a proxy. */
  | { readonly fault: 'html' }
  | { readonly fault: 'empty_image' }
  | { readonly fault: 'not_an_image' }
  /** Text: this content, this finish reason. */
  | { readonly fault: 'text'; readonly content: string | null; readonly finishReason?: string }
  | { readonly fault: 'refusal'; readonly words: string };

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function sendStatus(response: ServerResponse, fault: Extract<Fault, { fault: 'status' }>): void {
  if (fault.body !== undefined) {
    response.writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers });
    response.end(fault.body);
    return;
  }
  const error = { message: fault.message ?? 'fault on command', code: fault.code ?? null, type: null };
  sendJson(response, fault.status, { error }, fault.headers);
}

export function sendHtml(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><html><body>Please sign in to the proxy.</body></html>');
}

/** Half a body under a length that says there is more. */
export function cutInBody(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":[', () => request.socket.destroy());
}
