import { sql, type Kysely } from 'kysely';

/** What Temporal and containers need of a row's identity (spec 10 "Columns"). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE step_run
      ADD COLUMN IF NOT EXISTS owner_host_id       text,
      ADD COLUMN IF NOT EXISTS workflow_id         text,
      ADD COLUMN IF NOT EXISTS workflow_run_id     text,
      ADD COLUMN IF NOT EXISTS activity_id         text,
      ADD COLUMN IF NOT EXISTS activity_task_token text,
      ADD COLUMN IF NOT EXISTS barren_takeovers    integer`.execute(db);
}
