import path from 'node:path';
import { eventually } from '../support/eventually';
import { startRunIn } from '../support/world-run';
import { openWorld, type World } from '../support/world';

/** Machines whose clocks are wrong, and jump (spec 10 "Times", cases C32): the database's clock is the only one. The lease is 3 s. */
const CLOCK = path.join(__dirname, 'preloads/clock.cjs');
const TEN_MINUTES_MS = 600_000;

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

async function databaseNow(): Promise<string> {
  const { now } = await world.db
    .selectNoFrom((row) => row.fn<string>('callsheet_now', []).as('now'))
    .executeTakeFirstOrThrow();
  return now;
}

test('a worker ten minutes ahead, that jumps to ten minutes behind, steals no live row, and writes no time of its own', async () => {
  const begun = await databaseNow();
  const owner = await world.worker({ CALLSHEET_OFFLINE_DELAY_MS: '12000' }).ready();
  const run = await startRunIn(world, 'p1', { steps: ['world_guide'] });
  const held = await run.until('the owner holds the step', 'world_guide', (row) => row.status === 'running');
  const wrong = await world.worker({ CALLSHEET_TEST_CLOCK_MS: String(TEN_MINUTES_MS) }, { preload: CLOCK }).ready();
  wrong.signal('SIGUSR2');
  await eventually('the clock has jumped', () => wrong.said.includes('jumped'));
  expect(await run.row('world_guide')).toMatchObject({ status: 'running', run_id: held.run_id }); // it has looked at a live row
  await run.until('the step has ended', 'world_guide', (row) => row.status !== 'running');

  expect(await run.row('world_guide')).toMatchObject({
    status: 'completed',
    run_id: held.run_id,
    owner_pid: owner.pid,
    recovery_count: 0,
  });
  expect(wrong.exit).toBeNull();
  expect(await run.ended()).toBe('done');
  await expectTimesBetween(begun, await databaseNow());
});

test("a worker whose clock is wrong runs a whole episode, and every time it writes is the database's", async () => {
  const begun = await databaseNow();
  await world.worker({ CALLSHEET_TEST_CLOCK_MS: String(TEN_MINUTES_MS) }, { preload: CLOCK }).ready();
  const run = await startRunIn(world, 'p1');
  expect(await run.ended()).toBe('done');
  await expectTimesBetween(begun, await databaseNow());
});

/** All times of rows and purchases, in the one form that Callsheet writes, which sorts as it stands. */
async function expectTimesBetween(begun: string, ended: string): Promise<void> {
  const rows = await world.db
    .selectFrom('step_run')
    .select(['started_at', 'heartbeat_at', 'completed_at', 'updated_at'])
    .execute();
  const purchases = await world.db.selectFrom('purchase').select(['sent_at', 'settled_at']).execute();
  const times = [...rows, ...purchases].flatMap((row) => Object.values(row)).filter((time) => time !== null);
  expect(times.length).toBeGreaterThan(rows.length * 3);
  expect(times.filter((time) => time < begun || time > ended)).toEqual([]);
}
