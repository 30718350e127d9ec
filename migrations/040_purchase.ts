import { sql, type Kysely } from 'kysely';

/**
 * One row for each request that leaves for a provider, written ahead (spec 40).
 * key_honoured: the provider charges one idempotency key once. unusable_at: paid and counted, but not to be reused any more
 * (its blob is gone, or it is a late answer that cannot be read). deadline_at: send window and call deadline after sent_at.
 * A closed or doubtful row whose cost_usd is set has had its definite answer late: that sum is its cost, not the estimate.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE purchase (
      id                  text PRIMARY KEY,
      project_id          text NOT NULL,
      episode_id          text NOT NULL,
      step_id             text NOT NULL,
      item_id             text NOT NULL,
      provider            text NOT NULL,
      model               text NOT NULL,
      request_hash        text NOT NULL,
      generation          integer NOT NULL,
      status              text NOT NULL CHECK (status IN ('sent', 'settled', 'invalid', 'refused', 'failed', 'in_doubt', 'closed')),
      run_id              text NOT NULL,
      workflow_run_id     text,
      owner_host          text NOT NULL,
      owner_host_id       text,
      owner_pid           integer NOT NULL,
      owner_boot_id       text NOT NULL,
      estimated_cost_usd  numeric NOT NULL,
      cost_usd            numeric,
      usage               text,
      provider_request_id text,
      idempotency_key     text NOT NULL,
      key_honoured        boolean NOT NULL,
      response_ref        text,
      response_type       text,
      error_code          text,
      error_message       text,
      settled_by_operator text CHECK (settled_by_operator IN ('buy-again', 'give-up')),
      unusable_at         text,
      unusable_reason     text,
      created_at          text NOT NULL DEFAULT callsheet_now(),
      sent_at             text NOT NULL,
      deadline_at         text NOT NULL,
      settled_at          text
    )`.execute(db);
  // Never two at once for one request (spec 40).
  await sql`
    CREATE UNIQUE INDEX purchase_open ON purchase (project_id, episode_id, step_id, request_hash, generation)
    WHERE status = 'sent'`.execute(db);
  await sql`CREATE INDEX purchase_of_request ON purchase (project_id, episode_id, step_id, request_hash, generation)`.execute(
    db,
  );
  await sql`CREATE INDEX purchase_in_doubt ON purchase (project_id, episode_id) WHERE status = 'in_doubt'`.execute(db);
  await sql`CREATE INDEX purchase_of_run ON purchase (workflow_run_id)`.execute(db);

  // Caps in US dollars (spec 40 "Budget"). run: a workflow run id, or '*' for the project.
  await sql`
    CREATE TABLE budget (
      project_id text NOT NULL,
      run        text NOT NULL DEFAULT '*',
      cap_usd    numeric NOT NULL,
      by         text NOT NULL,
      at         text NOT NULL DEFAULT callsheet_now(),
      PRIMARY KEY (project_id, run)
    )`.execute(db);
}
