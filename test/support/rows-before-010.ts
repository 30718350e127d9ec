import { sql } from 'kysely';
import type { Db } from '../../src/db/pool';

/** `step_run` as another release made it before 010, written out by hand: our own first migration must not be its source. */
export async function createTableBefore010(db: Db): Promise<void> {
  await sql`
    CREATE TABLE step_run (
      id text PRIMARY KEY, project_id text, episode_id text, step_id text NOT NULL,
      status text NOT NULL DEFAULT 'pending', run_id text, resolved_model text, input_hash text,
      upstream_revision text, prompt_version text, applicable_count integer,
      completed_count integer DEFAULT 0, failed_count integer DEFAULT 0, error_message text,
      result_summary text, started_at text, completed_at text, created_at text NOT NULL,
      updated_at text NOT NULL, sync_status text, sync_error text, synced_at text,
      recovery_count integer NOT NULL DEFAULT 0, last_recovery_reason text,
      UNIQUE (project_id, episode_id, step_id)
    )`.execute(db);
}

/** Times as they stand in such tables: PostgreSQL's own text, ISO with and without a zone, nonsense, nothing. */
const startedAt: readonly (string | null)[] = [
  '2026-03-25 04:12:11.123456+00',
  '2026-03-25T04:12:11.123456+00:00',
  '2026-04-02T11:00:00Z',
  '2026-04-02T20:00:00+09:00',
  '2026-05-01T00:00:00',
  '2026-05-14 09:30:00',
  '2026-06-01 00:56:00+00',
  '2026-06-11 00:56:00+00',
  '2026-07-01 00:56:00+00',
  'yesterday',
  '',
  null,
  '2026-08-01 00:56:00.5+00',
  '2026-08-20 00:56:00+00',
];

/** Fourteen `running` rows without identity, some without a run id, and two at rest (spec 10, "A database already in use"). */
export async function insertRowsBefore010(db: Db): Promise<void> {
  for (const [index, started] of startedAt.entries()) {
    const runId = index % 3 === 0 ? null : `old-run-${index}`;
    await sql`
      INSERT INTO step_run (id, project_id, episode_id, step_id, status, run_id, started_at, created_at, updated_at)
      VALUES (${`old-${index}`}, 'legacy', ${`ep-${index}`}, 'scene_detail', 'running', ${runId}, ${started},
              '2026-03-01 00:00:00+00', '2026-03-01 00:00:00+00')`.execute(db);
  }
  await sql`
    INSERT INTO step_run (id, project_id, episode_id, step_id, status, completed_at, created_at, updated_at) VALUES
      ('old-done', 'legacy', 'ep-done', 'world_guide', 'completed', '2026-03-02', '2026-03-01', '2026-03-02'),
      ('old-loose', NULL, NULL, 'a_step_that_is_gone', 'failed', NULL, '2026-03-01', '2026-03-02')`.execute(db);
}

/** Every row with its place and its writer: a row that was rewritten with the same values shows, too. */
export async function rowsAsTheyLie(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT ctid::text, xmin::text, id, project_id, episode_id, step_id, status, run_id, resolved_model, input_hash,
           upstream_revision, prompt_version, applicable_count, completed_count, failed_count, error_message,
           result_summary, started_at, completed_at, created_at, updated_at, sync_status, sync_error, synced_at,
           recovery_count, last_recovery_reason
    FROM step_run ORDER BY id COLLATE "C"`.execute(db);
  return rows;
}
