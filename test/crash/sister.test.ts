import path from 'node:path';
import { startRunIn } from '../support/world-run';
import { openWorld, type World } from '../support/world';

/** A worker dies, and another one lives on the same host (spec 10 "Sweep", 15 "Fast takeover"). The sweep comes every second. */
const POINTS = path.join(__dirname, 'points/preload.cjs');
/** Which of two workers gets a task is Temporal's choice; in so many runs the one that dies has got one for certain. */
const RUNS = 6;

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

test("a sister that dies in a decision, which holds no row, does not hold up the run until the decision's time limit of 60 s", async () => {
  const survivor = await world.worker().ready();
  // In the middle of any decision but the first one.
  const killLike = 'INSERT step_decision \\| before \\| announceStep (?!world_guide)';
  const sister = await world
    .worker({ CALLSHEET_CRASH_POINTS: JSON.stringify({ killLike }) }, { preload: POINTS })
    .ready();
  for (let run = 1; run <= RUNS && sister.exit === null; run += 1) {
    const { ended } = await startRunIn(world, `p${run}`);
    expect(await ended(40_000)).toBe('done');
  }
  expect(sister.exit).toEqual({ code: null, signal: 'SIGKILL' });
  expect(survivor.hasLogged('an attempt of a dead worker is failed')).toBeDefined();
});

test('a sister that dies in the middle of a step is replaced by a sweep, and what she had paid is not bought again', async () => {
  const survivor = await world.worker().ready();
  const killLike = 'send \\w+ \\| after \\| runStep';
  const sister = await world
    .worker({ CALLSHEET_CRASH_POINTS: JSON.stringify({ killLike }) }, { preload: POINTS })
    .ready();
  for (let run = 1; run <= RUNS && sister.exit === null; run += 1) {
    const { ended, purchases } = await startRunIn(world, `p${run}`);
    expect(await ended()).toBe('done');
    const settled = (await purchases())
      .filter((purchase) => purchase.status === 'settled')
      .map((purchase) => purchase.idempotency_key);
    expect(new Set(settled).size).toBe(settled.length);
  }
  expect(sister.exit).toEqual({ code: null, signal: 'SIGKILL' });
  expect(survivor.hasLogged('sweep: owner process gone')).toBeDefined();
});
