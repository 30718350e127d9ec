import { sql } from 'kysely';
import { withDatabaseErrors } from './errors';
import type { Db, Tx } from './pool';

/**
 * Beyond any pause within a short transaction. A process that stops or hangs inside of one must not keep its locks on rows: they
 * would bar its own heartbeat thread, every cancel, and whoever takes over.
 */
const IDLE_LIMIT = '10s';

/**
 * A short transaction of an owner: it waits at most 5 s for a row (spec 10 "Claim"), and the server ends it where its process says
 * nothing for 10 s. Throws db.lock_timeout or db.unavailable. What it is for stands in the message.
 */
export function shortTransaction<T>(db: Db, doing: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withDatabaseErrors(doing, () =>
    db.transaction().execute(async (tx) => {
      await sql`SELECT set_config('lock_timeout', '5s', true), set_config('idle_in_transaction_session_timeout', ${IDLE_LIMIT}, true)`.execute(
        tx,
      );
      return work(tx);
    }),
  );
}
