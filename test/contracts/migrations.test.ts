import { sql } from 'kysely';
import { MIGRATIONS } from '../../migrations';
import { migrate, requireSchema } from '../../src/db/migrate';
import { openDatabase } from '../../src/db/pool';
import { rawTestDatabase, type TestDatabase } from '../support/database';
import { createTableBefore010, insertRowsBefore010, rowsAsTheyLie } from '../support/rows-before-010';
import { describeSchema } from '../support/schema-description';

const all = Object.keys(MIGRATIONS).sort();

let database: TestDatabase;
beforeEach(async () => {
  database = await rawTestDatabase();
});
afterEach(() => database.drop());

async function tableNames(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(database.db);
  return rows.map((row) => row.name);
}

describe('migrating a database from before 010', () => {
  let before: unknown[];
  beforeEach(async () => {
    await createTableBefore010(database.db);
    await insertRowsBefore010(database.db);
    before = await rowsAsTheyLie(database.db);
  });

  it('leaves each of its fourteen running rows where it lies, unwritten', async () => {
    expect(before).toHaveLength(16);
    expect(await migrate(database.db)).toEqual(all);
    expect(await rowsAsTheyLie(database.db)).toEqual(before);
  });

  it('gives them no identity that nobody knows', async () => {
    await migrate(database.db);
    const rows = await database.db
      .selectFrom('step_run')
      .select(['owner_host', 'owner_pid', 'owner_boot_id', 'heartbeat_at', 'cancel_requested_at', 'owner_host_id'])
      .select(['workflow_id', 'workflow_run_id', 'activity_id', 'activity_task_token', 'barren_takeovers'])
      .execute();
    expect(rows).toHaveLength(16);
    expect(rows.flatMap((row) => Object.values(row)).filter((value) => value !== null)).toEqual([]);
  });

  it('lets the release before write on, with its own columns only', async () => {
    await migrate(database.db);
    await sql`
      INSERT INTO step_run (id, project_id, episode_id, step_id, status, run_id, started_at, created_at, updated_at)
      VALUES ('old-new', 'legacy', 'ep-new', 'scene_detail', 'running', 'r', '2026-08-21', '2026-08-21', '2026-08-21')
      ON CONFLICT (project_id, episode_id, step_id) DO UPDATE SET status = EXCLUDED.status`.execute(database.db);
    await sql`
      UPDATE step_run SET status = 'completed', completed_at = '2026-08-21', completed_count = completed_count + 1
      WHERE id IN ('old-new', 'old-3')`.execute(database.db);
    const rows = await database.db
      .selectFrom('step_run')
      .select(['id', 'status', 'completed_count', 'recovery_count', 'owner_boot_id'])
      .where('id', 'in', ['old-new', 'old-3'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { id: 'old-3', status: 'completed', completed_count: 1, recovery_count: 0, owner_boot_id: null },
      { id: 'old-new', status: 'completed', completed_count: 1, recovery_count: 0, owner_boot_id: null },
    ]);
  });

  it("neither reads nor writes another tool's table of migrations", async () => {
    await sql`CREATE TABLE kysely_migration (name text PRIMARY KEY, timestamp text NOT NULL)`.execute(database.db);
    await sql`INSERT INTO kysely_migration VALUES ('001_step_run', 't'), ('777_theirs', 't')`.execute(database.db);
    expect(await migrate(database.db)).toEqual(all);
    const { rows } = await sql`SELECT name FROM kysely_migration ORDER BY name`.execute(database.db);
    expect(rows).toEqual([{ name: '001_step_run' }, { name: '777_theirs' }]);
  });

  it('ends with the same step_run as a new database has', async () => {
    await migrate(database.db);
    const fresh = await rawTestDatabase();
    try {
      await migrate(fresh.db);
      const [old, made] = [await describeSchema(database.db), await describeSchema(fresh.db)];
      expect(old).toEqual(made);
    } finally {
      await fresh.drop();
    }
  });
});

describe('migrating', () => {
  it('twice applies nothing the second time, and loses no row in between', async () => {
    expect(await migrate(database.db)).toEqual(all);
    await insertRowsBefore010(database.db);
    const before = await rowsAsTheyLie(database.db);
    expect(await migrate(database.db)).toEqual([]);
    expect(await rowsAsTheyLie(database.db)).toEqual(before);
  });

  it('from four processes at once applies each migration once, and every one of them succeeds', async () => {
    const others = [1, 2, 3, 4].map(() => openDatabase(database.url, 2, () => undefined));
    try {
      const applied = await Promise.all(others.map((other) => migrate(other.db)));
      expect(applied.flat().sort()).toEqual(all);
      await expect(requireSchema(database.db)).resolves.toBeUndefined();
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
  });

  it('leaves a newer schema alone', async () => {
    await migrate(database.db);
    await sql`INSERT INTO callsheet_migration VALUES ('999_later', 't')`.execute(database.db);
    expect(await migrate(database.db)).toEqual([]);
  });

  it('that fails leaves nothing half done, and the next one succeeds', async () => {
    // A table in the way of a later migration.
    await sql`CREATE TABLE purchase (id text)`.execute(database.db);
    await expect(migrate(database.db)).rejects.toThrow(/purchase/);
    expect((await tableNames()).filter((name) => !name.startsWith('callsheet_migration'))).toEqual(['purchase']);
    await sql`DROP TABLE purchase`.execute(database.db);
    expect(await migrate(database.db)).toEqual(all);
  });
});

describe('a process that needs the schema', () => {
  const outdated = expect.objectContaining({ code: 'db.schema_outdated' });

  it('refuses an empty database, and changes nothing in it', async () => {
    await expect(requireSchema(database.db)).rejects.toEqual(outdated);
    expect(await tableNames()).toEqual([]);
  });

  it('refuses a table from before 010, naming what is lacking', async () => {
    await createTableBefore010(database.db);
    await expect(requireSchema(database.db)).rejects.toThrow(/010_step_lock_ownership/);
  });

  it('refuses a schema that lacks only the newest migration', async () => {
    await migrate(database.db);
    const newest = all.at(-1)!;
    await sql`DELETE FROM callsheet_migration WHERE name = ${newest}`.execute(database.db);
    await expect(requireSchema(database.db)).rejects.toEqual(
      expect.objectContaining({ code: 'db.schema_outdated', message: expect.stringContaining(newest) }),
    );
  });

  it('accepts its own schema and a newer one', async () => {
    await migrate(database.db);
    await expect(requireSchema(database.db)).resolves.toBeUndefined();
    await sql`INSERT INTO callsheet_migration VALUES ('999_later', 't')`.execute(database.db);
    await expect(requireSchema(database.db)).resolves.toBeUndefined();
  });

  it('says that the database is away, not that it is outdated, when nothing answers', async () => {
    const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/nothing', 1, () => undefined);
    try {
      await expect(requireSchema(nowhere.db)).rejects.toEqual(expect.objectContaining({ code: 'db.unavailable' }));
      await expect(migrate(nowhere.db)).rejects.toEqual(expect.objectContaining({ code: 'db.unavailable' }));
    } finally {
      await nowhere.close();
    }
  });
});

describe('the list of migrations', () => {
  it('is only added to: the released names stay, in their order', () => {
    expect(all.slice(0, 5)).toEqual([
      '001_step_run',
      '010_step_lock_ownership',
      '020_temporal_identity',
      '030_ledger',
      '040_purchase',
    ]);
  });

  it('knows no way back', () => {
    expect(Object.values(MIGRATIONS).filter((migration) => migration.down !== undefined)).toEqual([]);
  });
});
