import { sql, type Kysely } from 'kysely';

/** `step_run` as it was before 010, where it is absent; a table that exists is left alone (spec 10). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS step_run (
      id                   text PRIMARY KEY,
      project_id           text,
      episode_id           text,
      step_id              text NOT NULL,
      status               text NOT NULL DEFAULT 'pending',
      run_id               text,
      resolved_model       text,
      input_hash           text,
      upstream_revision    text,
      prompt_version       text,
      applicable_count     integer,
      completed_count      integer DEFAULT 0,
      failed_count         integer DEFAULT 0,
      error_message        text,
      result_summary       text,
      started_at           text,
      completed_at         text,
      created_at           text NOT NULL,
      updated_at           text NOT NULL,
      sync_status          text,
      sync_error           text,
      synced_at            text,
      recovery_count       integer NOT NULL DEFAULT 0,
      last_recovery_reason text,
      UNIQUE (project_id, episode_id, step_id)
    )`.execute(db);
}
