import { readFileSync } from 'node:fs';
import { eventually } from '../support/eventually';
import { openTcpProxy, proxyDatabase } from '../support/tcp-proxy';
import { startRunIn, type WorldRun } from '../support/world-run';
import { openWorld, type World } from '../support/world';

/** Services that go away under a real worker (spec 10, 15; cases C28, C29, C30). The lease is 3 s. */
let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

/** Nothing doubled: each key of the offline till is there once, and each purchase is settled. */
async function expectEverythingOnce(run: WorldRun): Promise<void> {
  const charges = readFileSync(world.tillFile, 'utf8').trim().split('\n');
  const keys = charges.map((line) => (JSON.parse(line) as { key: string }).key);
  expect(new Set(keys).size).toBe(keys.length);
  const settled = (await run.purchases()).filter((purchase) => purchase.status === 'settled');
  expect(settled.map((purchase) => purchase.idempotency_key).sort()).toEqual([...keys].sort());
}

/** Whether time has passed on the database's own clock since `since`. */
async function secondsSince(since: string): Promise<number> {
  const { now } = await world.db
    .selectNoFrom((row) => row.fn<string>('callsheet_now', []).as('now'))
    .executeTakeFirstOrThrow();
  return (Date.parse(now) - Date.parse(since)) / 1_000;
}

test('a database that is away for two leases in the middle of a step: the owner keeps its row, and ends it', async () => {
  const { proxy, url } = await proxyDatabase(world.databaseUrl);
  try {
    const worker = await world.worker({ DATABASE_URL: url, CALLSHEET_OFFLINE_DELAY_MS: '500' }).ready();
    const run = await startRunIn(world, 'p1');
    const before = await run.until('a step with many calls runs', 'entity_t2i', (row) => row.status === 'running');
    proxy.cut();
    await eventually('two leases have passed', async () => (await secondsSince(before.started_at!)) > 6);
    proxy.mend();
    expect(await run.ended()).toBe('done');

    expect(await run.row('entity_t2i')).toMatchObject({
      status: 'completed',
      run_id: before.run_id,
      recovery_count: 0,
    });
    expect(worker.exit).toBeNull();
    expect(worker.hasLogged('a heartbeat failed')).toBeDefined();
    await expectEverythingOnce(run);
  } finally {
    await proxy.close();
  }
});

test('a Temporal server that is away for two leases: the owner ends its step, and the next attempt reports that end', async () => {
  const [host = '', port = ''] = world.config.temporalAddress!.split(':');
  const proxy = await openTcpProxy(host, Number(port));
  try {
    const worker = await world
      .worker({ TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}`, CALLSHEET_OFFLINE_DELAY_MS: '500' })
      .ready();
    const run = await startRunIn(world, 'p1');
    const before = await run.until('a step with many calls runs', 'entity_t2i', (row) => row.status === 'running');
    proxy.cut();
    const ended = await run.until('the step ends without Temporal', 'entity_t2i', (row) => row.status === 'completed');
    expect(ended.run_id).toBe(before.run_id);
    await eventually('two leases have passed', async () => (await secondsSince(before.started_at!)) > 6);
    proxy.mend();
    expect(await run.ended()).toBe('done');

    expect(await run.row('entity_t2i')).toEqual(ended);
    expect(worker.exit).toBeNull();
    await expectEverythingOnce(run);
  } finally {
    await proxy.close();
  }
});

test('a pool of one connection for steps side by side: nobody waits for a second one, and all is done', async () => {
  await world.worker({ DATABASE_POOL_SIZE: '1' }).ready();
  const run = await startRunIn(world, 'p1');
  expect(await run.ended()).toBe('done');
  await expectEverythingOnce(run);
});

/** A pid that no process has: the largest that Linux gives is 2^22. */
const NOBODY = 4_194_305;
const DEAD_ROWS = 50;

test('fifty rows of dead owners, and a database that goes away in the middle: each is reclaimed once, without a new start', async () => {
  const { proxy, url } = await proxyDatabase(world.databaseUrl, 20);
  try {
    const now = '2026-03-25T04:12:11.123456Z';
    await world.db
      .insertInto('step_run')
      .values(
        Array.from({ length: DEAD_ROWS }, (_, at) => ({
          id: `dead-${at}`,
          project_id: `p-${at}`,
          episode_id: 'e1',
          step_id: 'world_guide',
          status: 'running',
          run_id: `run-${at}`,
          owner_host: world.config.hostName,
          owner_pid: NOBODY,
          owner_boot_id: 'another-boot',
          started_at: now,
          heartbeat_at: now,
          created_at: now,
          updated_at: now,
          recovery_count: 0,
        })),
      )
      .execute();
    const failed = async () =>
      (await world.db.selectFrom('step_run').select('id').where('status', '=', 'failed').execute()).length;
    const worker = world.worker({ DATABASE_URL: url });
    await eventually('some are reclaimed', async () => (await failed()) >= 10, { everyMs: 5 });
    proxy.cut();
    expect(await failed()).toBeLessThan(DEAD_ROWS);
    await eventually('it has noticed', () => worker.hasLogged('could not be reclaimed yet'));
    proxy.mend();
    await eventually('all are reclaimed', async () => (await failed()) === DEAD_ROWS);

    const rows = await world.db.selectFrom('step_run').select(['recovery_count', 'last_recovery_reason']).execute();
    expect(rows.filter((row) => row.recovery_count === 1)).toHaveLength(DEAD_ROWS);
    expect(rows.filter((row) => row.last_recovery_reason === 'sweep: owner process gone').length).toBeGreaterThan(0);
    expect(worker.exit).toBeNull();
  } finally {
    await proxy.close();
  }
});
