import type { Db, Tx } from '../../db/pool';

/** The database's clock as Callsheet writes it: the only clock that ages are measured by (spec 10 "Times"). */
export async function databaseNow(db: Db | Tx): Promise<string> {
  const { now } = await db
    .selectNoFrom((expression) => expression.fn<string>('callsheet_now', []).as('now'))
    .executeTakeFirstOrThrow();
  return now;
}

/** Runs reads on one snapshot, so that a status and its costs belong together. Writes are refused by PostgreSQL. */
export function onOneSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}
