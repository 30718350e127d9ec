import type { FastifyInstance } from 'fastify';
import { AppError } from '../domain/errors';

/** Bodies of JSON: no larger than this. */
export const MAX_JSON_BYTES = 512 * 1024;

/** JSON and nothing else; an empty body is none. Fastify's own parser refuses `__proto__` and `constructor.prototype`. */
export function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_JSON_BYTES },
    (request, body, done) => {
      const text = asUtf8(body as Buffer);
      if (text === null) return done(new AppError('input.invalid', 'The body is not valid UTF-8.'));
      if (text.trim() === '') return done(null, undefined);
      return parse(request, text, done);
    },
  );
}

/** A screenplay as it is: its own bytes say how it is encoded (UTF-8, or UTF-16 with its mark). */
export function acceptText(server: FastifyInstance, upToBytes: number): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    ['text/plain', 'application/octet-stream'],
    { parseAs: 'buffer', bodyLimit: upToBytes + 1 },
    (_request, body, done) => done(null, body),
  );
}

function asUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // what that means is said by the caller
  }
}
