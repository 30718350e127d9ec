import { sql } from 'kysely';
import type { Db } from '../../src/db/pool';
import { eventually } from './eventually';

/** Resolves when some connection of this database waits for a lock that another one has. */
export async function waitsForLock(db: Db, what: string): Promise<void> {
  await eventually(what, async () => {
    const waiting = await sql`SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()`.execute(db);
    return waiting.rows.length > 0;
  });
}
