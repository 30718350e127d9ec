import { sql } from 'kysely';
import { Client } from 'pg';
import { Beater } from '../../src/heartbeat/beater';
import type { FromThread } from '../../src/heartbeat/messages';
import type { StepId } from '../../src/domain/steps';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { openCuttableLink, type CuttableLink } from '../support/cuttable-link';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';

const BOOT = 'boot of this worker';
const OLD = '2026-03-25T04:12:11Z';
const INTERVAL = 30_000;

/** The beat on a clock of the test's own: what is due, what is told, what is written. */
describe('the beat', () => {
  let database: TestDatabase;
  let proxy: CuttableLink;
  let episode: TestEpisode;
  let beater: Beater;
  let clock: number;
  let alive: Int32Array;
  let told: FromThread[];

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await openCuttableLink(database.url);
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });
  beforeEach(async () => {
    episode = await createTestEpisode(database.db);
    clock = 1_000_000;
    told = [];
    const counter = new SharedArrayBuffer(4);
    alive = new Int32Array(counter);
    const settings = {
      databaseUrl: proxy.url,
      bootId: BOOT,
      heartbeatMs: INTERVAL,
      stallMs: 600_000,
      aliveCounter: counter,
    };
    beater = new Beater(
      settings,
      (message) => void told.push(message),
      () => clock,
    );
  });
  afterEach(async () => {
    proxy.mend();
    await beater.disconnect();
  });

  /** Time passes in small steps, with a living main thread, as it does; answers what was told. */
  const pass = async (ms: number, living = true): Promise<FromThread[]> => {
    told = [];
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock += Math.min(1_000, ms - passed);
      if (living) alive[0]! += 1;
      await beater.tick();
    }
    return told;
  };
  const hold = async (step: StepId, boot = BOOT): Promise<string> => {
    const runId = `${step} of ${episode.projectId}`;
    await episode.insert(step, { run_id: runId, owner_boot_id: boot, heartbeat_at: OLD, updated_at: OLD });
    beater.hold(runId);
    return runId;
  };
  const beat = async (step: StepId) => (await episode.row(step)).heartbeat_at;

  it('refreshes all runs held in one statement, and writes nothing but the heartbeat', async () => {
    const runs = [await hold('world_guide'), await hold('entity_t2i')];
    const [before] = await episode.rows();
    expect(await pass(1_000)).toMatchObject([
      { kind: 'beat', written: expect.arrayContaining(runs), lost: [], unbrokenMs: 0 },
    ]);
    const after = await episode.rows();
    expect(new Set(after.map((row) => row.heartbeat_at)).size).toBeLessThanOrEqual(2);
    expect(after[0]).toEqual({ ...before, heartbeat_at: expect.stringMatching(/\.\d{6}Z$/) });
  });

  it('comes once an interval, however often it is asked', async () => {
    await hold('world_guide');
    await pass(1_000);
    expect(await pass(INTERVAL - 1_000)).toEqual([]);
    expect(await pass(1_000)).toHaveLength(1);
  });

  it.each([
    ['another owner has', { owner_boot_id: 'thief', run_id: 'thief' }],
    ['another process has under the same run', { owner_boot_id: 'thief' }],
    ['was released', { status: 'failed' }],
  ])('does not touch a row that %s, tells it once, and refreshes the other nineteen', async (_what, change) => {
    const lost = await hold('world_guide');
    const others: StepId[] = ['entity_t2i', 'shot_selection', 'scene_detail'];
    for (const step of others) await hold(step);
    await episode.patch('world_guide', change);
    const before = await episode.row('world_guide');
    expect(await pass(1_000)).toMatchObject([{ kind: 'beat', lost: [lost] }]);
    expect(await episode.row('world_guide')).toEqual(before);
    for (const step of others) expect(await beat(step)).not.toBe(OLD);
    expect(await pass(INTERVAL)).toMatchObject([{ kind: 'beat', lost: [] }]);
  });

  it('passes by a row that somebody holds without starving the others, does not call it lost, and takes it a second later', async () => {
    await hold('world_guide');
    const free = await hold('entity_t2i');
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(`SELECT 1 FROM step_run WHERE project_id = $1 AND step_id = 'world_guide' FOR UPDATE`, [
        episode.projectId,
      ]);
      expect(await pass(1_000)).toMatchObject([{ kind: 'beat', written: [free], lost: [] }]);
      expect(await beat('world_guide')).toBe(OLD);
      await other.query('ROLLBACK');
      expect(await pass(1_000)).toMatchObject([{ kind: 'beat', written: expect.arrayContaining([free]), lost: [] }]);
      expect(await beat('world_guide')).not.toBe(OLD);
    } finally {
      await other.end();
    }
  });

  it('calls a run that has ended and was dropped meanwhile no loss', async () => {
    const ended = await hold('world_guide');
    await episode.patch('world_guide', { status: 'completed' });
    beater.drop(ended);
    expect(await pass(1_000)).toMatchObject([{ kind: 'beat', lost: [] }]);
  });

  it('of an idle worker reads the clock, and so counts for how long its database has been there', async () => {
    expect(await pass(1_000)).toMatchObject([{ kind: 'beat', written: [], lost: [], unbrokenMs: 0 }]);
    expect(await pass(INTERVAL)).toMatchObject([{ kind: 'beat', written: [], lost: [], unbrokenMs: INTERVAL }]);
  });

  it('that fails is told and counted, tried again every 5 s, and goes on when the database is back, with its streak broken', async () => {
    await hold('world_guide');
    await pass(1_000);
    await pass(INTERVAL);
    told = [];
    proxy.cut();
    await eventually('the dropped connection is told', () => told.length > 0);
    const failures = [...told, ...(await pass(INTERVAL))];
    expect(failures.map((message) => (message.kind === 'failed' ? message.failures : message.kind))).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ]);
    proxy.mend();
    const back = await pass(6_000);
    expect(back.filter((message) => message.kind === 'beat')).toMatchObject([
      { kind: 'beat', lost: [], unbrokenMs: 0 },
    ]);
    expect(await beat('world_guide')).not.toBe(OLD);
  });

  it('does not hang on a network that swallows packets: the statement fails by itself', async () => {
    await hold('world_guide');
    await pass(1_000);
    proxy.swallow();
    expect(await pass(INTERVAL)).toMatchObject([{ kind: 'failed' }]);
    proxy.cut();
    proxy.mend();
    expect((await pass(6_000)).at(-1)).toMatchObject({ kind: 'beat' });
  });

  it('stops while the main thread shows no sign of life for longer than the stall limit, says so, and goes on after', async () => {
    await hold('world_guide');
    await pass(1_000);
    const silent = await pass(600_000, false);
    expect(silent.every((message) => message.kind === 'beat')).toBe(true);
    expect(await pass(1_000, false)).toEqual([{ kind: 'stalled', silentMs: 601_000 }]);
    await episode.patch('world_guide', { heartbeat_at: OLD });
    expect(await pass(200_000, false)).toEqual([]);
    expect(await beat('world_guide')).toBe(OLD);
    expect(await pass(1_000)).toMatchObject([{ kind: 'recovered' }, { kind: 'beat', unbrokenMs: 0 }]);
  });

  it('takes a stop of the whole process for a gap: beats of before prove nothing about the time between', async () => {
    await pass(1_000);
    await pass(INTERVAL);
    clock += 20_000; // SIGSTOP, SIGCONT
    alive[0]! += 1;
    told = [];
    await beater.tick();
    expect(told).toMatchObject([{ kind: 'beat', unbrokenMs: 0 }]);
  });

  it('that began a streak slowly is followed by one that makes the streak an interval long', async () => {
    clock += 1_000;
    alive[0]! += 1;
    const beating = beater.tick();
    clock += 80; // it connects
    await beating;
    expect(await pass(INTERVAL - 50)).toEqual([]);
    expect(await pass(50)).toMatchObject([{ kind: 'beat', unbrokenMs: INTERVAL }]);
  });

  it('that was under way while the machine slept proves nothing of that time', async () => {
    await pass(1_000);
    await pass(INTERVAL - 1_000);
    clock += 1_000;
    alive[0]! += 1;
    told = [];
    const beating = beater.tick();
    clock += 3_600_000;
    await beating;
    expect(told).toMatchObject([{ kind: 'beat', unbrokenMs: 0 }]);
  });

  it("that finds the database's clock far ahead begins anew: every heartbeat looks old then", async () => {
    const clockAhead = (by: string) =>
      sql`CREATE OR REPLACE FUNCTION callsheet_now() RETURNS text LANGUAGE sql VOLATILE AS
        ${sql.lit(`SELECT to_char((clock_timestamp() + interval '${by}') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)}`.execute(
        database.db,
      );
    try {
      await pass(1_000);
      await clockAhead('29 seconds'); // in this test, time passes here only
      expect(await pass(INTERVAL)).toMatchObject([{ kind: 'beat', unbrokenMs: INTERVAL }]);
      await clockAhead('10 minutes');
      expect(await pass(INTERVAL)).toMatchObject([{ kind: 'beat', unbrokenMs: 0 }]);
      await clockAhead('10 minutes');
      expect(await pass(INTERVAL)).toMatchObject([{ kind: 'beat', unbrokenMs: INTERVAL }]);
    } finally {
      await clockAhead('0 seconds');
    }
  });

  it('does not take a stop of the whole process for a hung main thread, however long it was', async () => {
    await pass(1_000);
    clock += 700_000; // the machine slept, and this thread wakes first
    told = [];
    await beater.tick();
    expect(told).toMatchObject([{ kind: 'beat', unbrokenMs: 0 }]);
    expect(await pass(601_000, false)).toContainEqual({ kind: 'stalled', silentMs: expect.any(Number) as number });
  });
});
