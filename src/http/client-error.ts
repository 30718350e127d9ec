import type { Socket } from 'node:net';
import { AppError, type ErrorCode } from '../domain/errors';
import { PROBLEM_TYPE, problemOf } from './problem';

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'http.headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'http.timeout',
};
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** What does not even parse as HTTP is answered on the bare socket, as a problem like every other. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = new AppError(
    CODES[error.code ?? ''] ?? 'http.malformed',
    'The request cannot be read as HTTP, or was not sent in time.',
  );
  const body = JSON.stringify(problemOf(problem));
  socket.end(
    [
      `HTTP/1.1 ${problem.statusCode} ${REASONS[problem.statusCode] ?? 'Bad Request'}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
