import { withDatabaseErrors } from '../db/errors';
import { AppError } from '../domain/errors';
import type { Logger } from '../observability/logger';

export interface Riding {
  readonly log: Logger;
  sleep(ms: number): Promise<void>;
  /** Aborted when the process may wait no longer (the shutdown's grace is over). */
  readonly graceOver: AbortSignal | undefined;
}

const RETRY_MS = 1_000;

function isPassing(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  // The pool of this process is closed: no waiting brings it back.
  if (error.cause instanceof Error && /driver has already been destroyed/.test(error.cause.message)) return false;
  return error.code === 'db.unavailable' || error.code === 'db.lock_timeout';
}

/**
 * Repeats a piece of database work each second while the database is away or a row is held by another, at most `tries` times
 * (default: as long as the process lives, for what was paid must be kept, cases C29). The work must be safe to repeat.
 */
export async function rideOut<T>(riding: Riding, doing: string, work: () => Promise<T>, tries = Infinity): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withDatabaseErrors(doing, work);
    } catch (error) {
      if (!isPassing(error) || attempt >= tries || riding.graceOver?.aborted) throw error;
      riding.log.warn({ err: error, attempt }, `${doing}: tried again in a second`);
      await riding.sleep(RETRY_MS);
    }
  }
}
