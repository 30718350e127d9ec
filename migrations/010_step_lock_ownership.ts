import { sql, type Kysely } from 'kysely';

/** Who holds a step, and do they live. All nullable: rows from before stay as they are (spec 10 "Columns"). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE step_run
      ADD COLUMN IF NOT EXISTS owner_host          text,
      ADD COLUMN IF NOT EXISTS owner_pid           integer,
      ADD COLUMN IF NOT EXISTS owner_boot_id       text,
      ADD COLUMN IF NOT EXISTS heartbeat_at        text,
      ADD COLUMN IF NOT EXISTS cancel_requested_at text`.execute(db);
}
