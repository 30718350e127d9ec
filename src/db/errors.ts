import { AppError } from '../domain/errors';

/**
 * SQLSTATEs that say: not now; try again (spec 20 "Errors"). The connection is lost (08), the server is out of disk, memory or
 * connections (53), stopped or told to cancel by an operator (57), or has a system error (58); it is read-only after a failover
 * (25006), has ended an idle transaction (25P03), or this transaction met another (40001, 40P01, 55006); the
 * database takes no connections (55000).
 */
const PASSING_STATES = /^(08|53|57|58)...$|^(25006|25P03|40001|40P01|55000|55006)$/;
/** Socket errors that say: no connection, or one that was lost. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]);
const CONNECTION_TEXT =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|not queryable|socket has been ended|driver has already been destroyed/i;

/**
 * What a failed statement means. Anything that is not about the connection or a lock is passed on as it is; so is what has a
 * meaning already: a Temporal failure that quotes an outage in its text would lose its type and its next delay.
 */
export function translateDatabaseError(error: unknown, doing: string): unknown {
  if (error instanceof AppError || !(error instanceof Error) || error.name === 'ApplicationFailure') return error;
  // A host name with two addresses (localhost) fails with one error for each of them, and no text of its own.
  const nested: unknown =
    error instanceof AggregateError ? error.errors.find((one: unknown) => one instanceof Error) : undefined;
  const code = codeOf(error) || codeOf(nested);
  const message = error.message || (nested instanceof Error ? nested.message : code);
  if (code === '55P03')
    return new AppError('db.lock_timeout', `${doing}: another connection holds the row (waited 5 s).`, undefined, {
      cause: error,
    });
  if (PASSING_STATES.test(code) || SOCKET_CODES.has(code) || CONNECTION_TEXT.test(error.message))
    return new AppError('db.unavailable', `${doing}: ${message}.`, undefined, { cause: error });
  return error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Runs a piece of database work; connection and lock errors come out as AppError db.unavailable or db.lock_timeout. */
export async function withDatabaseErrors<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateDatabaseError(error, doing);
  }
}
