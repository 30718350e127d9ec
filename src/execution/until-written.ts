import { AppError } from '../domain/errors';
import type { Logger } from '../observability/logger';

/**
 * Repeats a write that must land, or a read that the owner of a step cannot do without, while the database is away or the row is locked (spec 10 "Claim": that write is retried, and
 * the registry entry kept). Ends with the write's answer, or with any other error.
 */
export async function untilWritten<T>(
  deps: { readonly log: Logger; sleep(ms: number): Promise<void> },
  doing: string,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'db.unavailable' && error.code !== 'db.lock_timeout'))
        throw error;
      deps.log.warn({ doing, tries, code: error.code }, 'waiting for the database');
      await deps.sleep(Math.min(1_000, 100 * tries));
    }
  }
}
