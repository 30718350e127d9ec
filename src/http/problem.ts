import type { FastifyError, FastifyReply } from 'fastify';
import type { ProblemBody } from '../bodies/problem';
import { AppError, ERRORS, type ErrorCode } from '../domain/errors';

export const PROBLEM_TYPE = 'application/problem+json';

/** Members that only some problems have. */
export type ProblemExtras = Pick<ProblemBody, 'decisions' | 'differences' | 'run' | 'lock'>;

/** RFC 9457's members for an error of the registry (spec 50 "Errors are"). */
export function problemOf(error: AppError, extras: ProblemExtras = {}): ProblemBody {
  const words = error.code.replace(/[._]/g, ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return { code: error.code, title, status: error.statusCode, detail: error.message, next: error.next, ...extras };
}

export function sendProblem(reply: FastifyReply, error: AppError, extras: ProblemExtras = {}): FastifyReply {
  if (error.code === 'auth.required') void reply.header('www-authenticate', 'Bearer realm="callsheet"');
  if (error.code === 'auth.forbidden')
    void reply.header('www-authenticate', 'Bearer realm="callsheet", error="insufficient_scope"');
  // As bytes: what follows the text of a JSON answer is Fastify's affair, and this has a type of its own.
  return reply
    .code(error.statusCode)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemOf(error, extras)));
}

/** What the framework's own refusals are, by its codes. */
const OF_FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'http.body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'http.unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'input.invalid',
  FST_ERR_CTP_INVALID_JSON_BODY: 'input.invalid',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'http.malformed',
  FST_ERR_BAD_URL: 'http.malformed',
};

/** Any error as one of the registry; what nobody foresaw is internal.unexpected, and its words stay in the log. */
export function asAppError(error: FastifyError | Error, requestId: string): AppError {
  if (error instanceof AppError) return error;
  const code = 'code' in error ? OF_FRAMEWORK[error.code] : undefined;
  const said = `${error.message.replace(/[.]$/, '')}.`;
  if (code) return new AppError(code, said, undefined, { cause: error });
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status >= 400 && status < 500) return new AppError('http.malformed', said, undefined, { cause: error });
  return new AppError(
    'internal.unexpected',
    `Something unexpected happened; the log knows it as request ${requestId}.`,
    ERRORS['internal.unexpected'].status,
    { cause: error },
  );
}
