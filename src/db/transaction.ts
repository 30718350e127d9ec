import { sql } from 'kysely';
import { withDatabaseErrors } from './errors';
import type { Db, Tx } from './pool';

/**
 * Beyond any pause within a short transaction. A process that stops or hangs inside of one must not keep its locks on rows: they
 * would bar its own heartbeat thread, every cancel, and whoever takes over.
 */
const IDLE_LIMIT = '10s';

/**
 * For a transaction that locks rows: it waits at most 5 s for one (spec 10 "Claim"), and the server ends it where its process
 * says nothing for 10 s. First statement of the transaction.
 */
export async function limitWaits(tx: Tx): Promise<void> {
  await sql`SELECT set_config('lock_timeout', '5s', true), set_config('idle_in_transaction_session_timeout', ${IDLE_LIMIT}, true)`.execute(
    tx,
  );
}

/** A short transaction of an owner, with limited waits. Throws db.lock_timeout or db.unavailable. What it is for stands in the message. */
export function shortTransaction<T>(db: Db, doing: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withDatabaseErrors(doing, () =>
    db.transaction().execute(async (tx) => {
      await limitWaits(tx);
      return work(tx);
    }),
  );
}
