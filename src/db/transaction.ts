import { sql } from 'kysely';
import { withDatabaseErrors } from './errors';
import type { Db, Tx } from './pool';

/**
 * A short transaction of an owner: waits at most 5 s for a row (spec 10 "Claim"). Throws db.lock_timeout or db.unavailable.
 * What it is for stands in the message.
 */
export function shortTransaction<T>(db: Db, doing: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withDatabaseErrors(doing, () =>
    db.transaction().execute(async (tx) => {
      await sql`SET LOCAL lock_timeout = '5s'`.execute(tx);
      return work(tx);
    }),
  );
}
