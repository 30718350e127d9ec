import { sql, type Kysely } from 'kysely';

/**
 * The rest of the ledger: episodes, runs, cancels, decisions, checkpoints, items, marks, generations, audit.
 * Bodies are text of JSON, not jsonb: jsonb refuses U+0000 and forgets the spelling that was hashed (spec 20).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The database's clock as Callsheet writes it: UTC, microseconds, Z (spec 10 "Times").
  await sql`
    CREATE OR REPLACE FUNCTION callsheet_now() RETURNS text LANGUAGE sql VOLATILE AS $$
      SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    $$`.execute(db);

  await sql`
    CREATE TABLE episode (
      project_id         text NOT NULL,
      episode_id         text NOT NULL,
      title              text NOT NULL,
      screenplay         text NOT NULL,
      screenplay_version integer NOT NULL,
      screenplay_hash    text NOT NULL,
      created_at         text NOT NULL DEFAULT callsheet_now(),
      updated_at         text NOT NULL DEFAULT callsheet_now(),
      PRIMARY KEY (project_id, episode_id)
    )`.execute(db);

  await sql`
    CREATE TABLE project_config (
      project_id text PRIMARY KEY,
      settings   text NOT NULL,
      updated_at text NOT NULL DEFAULT callsheet_now()
    )`.execute(db);

  // One row for each workflow run (spec 15 "Starting"). request_id makes a start idempotent.
  await sql`
    CREATE TABLE run (
      workflow_run_id    text PRIMARY KEY,
      workflow_id        text NOT NULL,
      project_id         text NOT NULL,
      episode_id         text NOT NULL,
      request_id         text NOT NULL UNIQUE,
      chosen             text NOT NULL,
      force              text NOT NULL,
      items              text NOT NULL,
      screenplay_version integer NOT NULL,
      plan               text,
      budget_usd         numeric,
      accepted_at        text NOT NULL,
      opened_at          text NOT NULL DEFAULT callsheet_now(),
      ended_at           text,
      state              text NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX run_open ON run (project_id, episode_id) WHERE ended_at IS NULL`.execute(db);

  // A cancel is a row for each open run that it covers, never cleared (spec 15 "Cancel"). step: a step's id or '*'.
  await sql`
    CREATE TABLE run_cancel (
      workflow_run_id text NOT NULL,
      step            text NOT NULL,
      at              text NOT NULL DEFAULT callsheet_now(),
      by              text NOT NULL,
      PRIMARY KEY (workflow_run_id, step)
    )`.execute(db);

  await sql`
    CREATE TABLE step_decision (
      id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      project_id      text NOT NULL,
      episode_id      text NOT NULL,
      step_id         text NOT NULL,
      workflow_id     text,
      workflow_run_id text,
      made_by         text NOT NULL,
      attempt         integer,
      run_id          text,
      action          text NOT NULL,
      code            text,
      reason          text NOT NULL,
      origin          text,
      evidence        text NOT NULL,
      at              text NOT NULL DEFAULT callsheet_now()
    )`.execute(db);
  await sql`CREATE INDEX step_decision_of_step ON step_decision (project_id, episode_id, step_id, id)`.execute(db);
  await sql`CREATE INDEX step_decision_of_run ON step_decision (workflow_run_id, step_id, id)`.execute(db);

  await sql`
    CREATE TABLE checkpoint (
      id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      project_id     text NOT NULL,
      episode_id     text NOT NULL,
      step_id        text NOT NULL,
      version        integer NOT NULL,
      schema_version integer NOT NULL,
      config_hashes  text NOT NULL,
      body           text NOT NULL,
      status         text NOT NULL,
      run_id         text,
      written_by     text NOT NULL,
      archived_at    text,
      created_at     text NOT NULL DEFAULT callsheet_now(),
      UNIQUE (project_id, episode_id, step_id, version)
    )`.execute(db);

  // Results of a step's items, kept as they arrive. The newest of an item has archived_at NULL.
  await sql`
    CREATE TABLE item_result (
      id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      project_id     text NOT NULL,
      episode_id     text NOT NULL,
      step_id        text NOT NULL,
      item_id        text NOT NULL,
      status         text NOT NULL,
      request_hash   text NOT NULL,
      schema_version integer NOT NULL,
      generation     integer NOT NULL,
      result         text,
      error_code     text,
      error_message  text,
      purchase_id    text,
      run_id         text NOT NULL,
      created_at     text NOT NULL DEFAULT callsheet_now(),
      archived_at    text
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX item_result_current ON item_result (project_id, episode_id, step_id, item_id) WHERE archived_at IS NULL`.execute(
    db,
  );

  await sql`
    CREATE TABLE stale_mark (
      project_id text NOT NULL,
      episode_id text NOT NULL,
      step_id    text NOT NULL,
      item_id    text NOT NULL,
      act        text NOT NULL,
      request_id text,
      at         text NOT NULL DEFAULT callsheet_now(),
      PRIMARY KEY (project_id, episode_id, step_id, item_id)
    )`.execute(db);

  // A request to force, obeyed once (spec 20 "Force is obeyed once"). item_id: an item or '*'.
  await sql`
    CREATE TABLE generation (
      project_id text NOT NULL,
      episode_id text NOT NULL,
      step_id    text NOT NULL,
      item_id    text NOT NULL,
      request_id text NOT NULL,
      obeyed_at  text NOT NULL DEFAULT callsheet_now(),
      PRIMARY KEY (project_id, episode_id, step_id, item_id, request_id)
    )`.execute(db);

  await sql`
    CREATE TABLE shot_switch (
      project_id text NOT NULL,
      episode_id text NOT NULL,
      shot_id    text NOT NULL,
      is_on      boolean NOT NULL,
      by         text NOT NULL,
      at         text NOT NULL DEFAULT callsheet_now(),
      PRIMARY KEY (project_id, episode_id, shot_id)
    )`.execute(db);

  await sql`
    CREATE TABLE audit (
      id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at         text NOT NULL DEFAULT callsheet_now(),
      by         text NOT NULL,
      act        text NOT NULL,
      project_id text,
      episode_id text,
      step_id    text,
      run_id     text,
      verdict    text,
      forced     boolean,
      reason     text,
      details    text NOT NULL DEFAULT '{}'
    )`.execute(db);
}
