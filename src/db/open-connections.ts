import { sql } from 'kysely';
import { withDatabaseErrors } from './errors';
import type { Db } from './pool';

/** Opens so many connections of the pool beforehand: logging in takes longer than most statements. Throws db.unavailable. */
export async function openConnections(db: Db, count: number): Promise<void> {
  await withDatabaseErrors('Opening connections', () =>
    Promise.all(Array.from({ length: count }, () => sql`SELECT 1`.execute(db))),
  );
}
