import type { ClientBase } from 'pg';

/**
 * The heartbeat of one process: one statement for all runs held, under the fence (spec 10 "Heartbeat"). It takes the rows that
 * it can lock, so that one row which someone holds does not starve the others, and answers which it wrote, and the database's
 * clock. It writes heartbeat_at only.
 */
export async function beatRows(
  client: ClientBase,
  bootId: string,
  runIds: readonly string[],
): Promise<{ readonly written: ReadonlySet<string>; readonly now: string }> {
  const beaten = await client.query<{ now: string; written: string[] }>(
    `WITH free AS (
       SELECT id FROM step_run
       WHERE run_id = ANY($1::text[]) AND owner_boot_id = $2 AND status = 'running'
       FOR NO KEY UPDATE SKIP LOCKED),
     beaten AS (
       UPDATE step_run SET heartbeat_at = callsheet_now()
       FROM free WHERE step_run.id = free.id
       RETURNING step_run.run_id)
     SELECT callsheet_now() AS now, ARRAY(SELECT run_id FROM beaten) AS written`,
    [runIds, bootId],
  );
  const [{ now, written } = { now: '', written: [] }] = beaten.rows;
  return { now, written: new Set(written) };
}

/** Of the runs that the beat left out: those that the fence still matches, read without a lock. The others are lost. */
export async function stillHeld(
  client: ClientBase,
  bootId: string,
  runIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await client.query<{ run_id: string }>(
    `SELECT run_id FROM step_run WHERE run_id = ANY($1::text[]) AND owner_boot_id = $2 AND status = 'running'`,
    [runIds, bootId],
  );
  return new Set(rows.rows.map((row) => row.run_id));
}

/** An idle worker beats, too: it reads the clock, and so knows that its database is there (spec 10 "Acting on a death"). */
export async function readClock(client: ClientBase): Promise<string> {
  const clock = await client.query<{ now: string }>('SELECT callsheet_now() AS now');
  return clock.rows[0]?.now ?? '';
}
