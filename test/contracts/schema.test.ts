import fs from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { describeSchema, type SchemaDescription } from '../support/schema-description';
import { updateSnapshots } from '../support/settings';

const snapshotPath = path.join(__dirname, 'schema.snapshot.json');

describe('the schema that other tools read', () => {
  let database: TestDatabase;
  let schema: SchemaDescription;

  beforeAll(async () => {
    database = await createTestDatabase();
    schema = await describeSchema(database.db);
    // A changed schema is meant, or it is an accident: UPDATE_SNAPSHOTS=1 says that it is meant, and the diff is reviewed.
    if (updateSnapshots()) fs.writeFileSync(snapshotPath, `${JSON.stringify(schema, null, 2)}\n`);
  });
  afterAll(() => database.drop());

  it('is the one of the snapshot', () => {
    expect(schema).toEqual(JSON.parse(fs.readFileSync(snapshotPath, 'utf8')));
  });

  it('has step_run with the names, types and nullability of spec 10', () => {
    const text = 'text, nullable';
    const integer = 'integer, nullable';
    expect(schema.tables['step_run']).toEqual({
      id: 'text, not null',
      project_id: text,
      episode_id: text,
      step_id: 'text, not null',
      status: "text, not null, default 'pending'::text",
      run_id: text,
      resolved_model: text,
      input_hash: text,
      upstream_revision: text,
      prompt_version: text,
      applicable_count: integer,
      completed_count: 'integer, nullable, default 0',
      failed_count: 'integer, nullable, default 0',
      error_message: text,
      result_summary: text,
      started_at: text,
      completed_at: text,
      created_at: 'text, not null',
      updated_at: 'text, not null',
      sync_status: text,
      sync_error: text,
      synced_at: text,
      recovery_count: 'integer, not null, default 0',
      last_recovery_reason: text,
      owner_host: text,
      owner_pid: integer,
      owner_boot_id: text,
      heartbeat_at: text,
      cancel_requested_at: text,
      owner_host_id: text,
      workflow_id: text,
      workflow_run_id: text,
      activity_id: text,
      activity_task_token: text,
      barren_takeovers: integer,
    });
    expect(schema.constraints).toContain('step_run: UNIQUE (project_id, episode_id, step_id)');
  });

  it('keeps every time of the ledger as text, so that no bad row breaks a query', () => {
    const temporal = Object.entries(schema.tables).flatMap(([table, columns]) =>
      Object.entries(columns)
        .filter(([, type]) => /^(timestamp|date|time|interval)/.test(type))
        .map(([column]) => `${table}.${column}`),
    );
    // Contexts are read by their own rooms only, and spec 30 gives them timestamptz.
    expect(temporal.filter((name) => !/^(core|ai)[.]/.test(name))).toEqual([]);
  });

  it('never lets two purchases of one request be in flight', () => {
    expect(schema.indexes).toContainEqual(
      expect.stringMatching(/^CREATE UNIQUE INDEX \w+ ON public\.purchase .*request_hash.* WHERE .*'sent'/),
    );
  });
});
