import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { StepRun } from '../../src/db/tables';
import type { StepId } from '../../src/domain/steps';
import { eventually } from '../support/eventually';
import { ledgerSnapshot } from '../support/ledger-snapshot';
import type { RealWorker } from '../support/real-worker';
import { startRunIn, type WorldRun } from '../support/world-run';
import { openWorld, type World } from '../support/world';

/** Owners that stop, hang or compute for longer than their lease (spec 10 "Heartbeat"; cases C02, C31). The lease is 3 s. */
const LEASE_SECONDS = 3;
/** Longer than the lease, shorter than what makes the SDK give an attempt up by itself (the lease and 5 s). */
const BLOCK_MS = 6_000;
const OFFLINE_CALLS_AT_ONCE = 4;
const ON_COMMAND = path.join(__dirname, 'preloads/on-command.cjs');
/** Long enough that the owner still waits for its first answers when it is stopped. */
const SLOW = { CALLSHEET_OFFLINE_DELAY_MS: '2000', CALLSHEET_TEST_BLOCK_MS: String(BLOCK_MS) };

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

/** Two workers; one of them holds the step of many calls, and is in the middle of it. */
async function ownerOfTwo(env: Record<string, string> = {}): Promise<{ owner: RealWorker; run: WorldRun }> {
  const workers = [1, 2].map(() => world.worker({ ...SLOW, ...env }, { preload: ON_COMMAND }));
  for (const worker of workers) await worker.ready();
  const run = await startRunIn(world, 'p1');
  const row = await run.until(
    'the step runs',
    'entity_t2i',
    ({ status, applicable_count }) => status === 'running' && applicable_count !== null,
  );
  // As many as there can be: while one is written down, its transaction keeps the row from being beaten, and stopping there is another matter.
  await eventually('its calls are in flight', async () => {
    const opened = await run.purchases('entity_t2i');
    return opened.length >= Math.min(row.applicable_count!, OFFLINE_CALLS_AT_ONCE);
  });
  return { owner: workers.find((worker) => worker.pid === row.owner_pid)!, run };
}

/** Between two heartbeats of one row. */
function secondsBetween(before: StepRun, after: StepRun): number {
  return (Date.parse(after.heartbeat_at!) - Date.parse(before.heartbeat_at!)) / 1_000;
}

function stealsOf(step: StepId) {
  return world.db
    .selectFrom('step_decision')
    .select('reason')
    .where('step_id', '=', step)
    .where('action', '=', 'stale_running_recovery')
    .execute();
}

/** The offline till has one line a charge: no key is there twice. */
function expectNothingTwice(): void {
  const lines = readFileSync(world.tillFile, 'utf8').trim().split('\n');
  const keys = lines.map((line) => (JSON.parse(line) as { key: string }).key);
  expect(new Set(keys).size).toBe(keys.length);
}

test('an owner that was stopped for three leases writes nothing when it goes on, and says so; what the new owner made stays as it is', async () => {
  const { owner, run } = await ownerOfTwo();
  owner.signal('SIGSTOP');
  const taken = await run.until('another one has ended the step', 'entity_t2i', (row) => row.status === 'completed');
  expect(taken.owner_pid).not.toBe(owner.pid);
  const before = await ledgerSnapshot(world, 'entity_t2i');

  owner.signal('SIGCONT');
  await eventually('it finds that it lost the row', () =>
    owner.hasLogged(/another owner has the row|ownership was lost/),
  );
  owner.signal('SIGTERM');
  expect(await owner.exited).toEqual({ code: 0, signal: null });

  expect(await ledgerSnapshot(world, 'entity_t2i')).toEqual(before);
  expectNothingTwice();
});

test('an owner whose main thread computes for two leases is not taken for dead: its beat goes on in a thread of its own', async () => {
  const { owner, run } = await ownerOfTwo();
  const before = (await run.row('entity_t2i'))!;
  owner.signal('SIGUSR2');
  const beaten = await run.until(
    'it is beaten when the lease is over',
    'entity_t2i',
    (row) => secondsBetween(before, row) > LEASE_SECONDS + 1,
  );
  expect(beaten).toMatchObject({ status: 'running', run_id: before.run_id, owner_pid: owner.pid });
  expect(owner.said).not.toContain('unblocked');
  expect(await run.ended()).toBe('done');

  // Temporal gives the attempt up, and the step may be handed back for that at its next safe point; it is never stolen.
  expect(await run.row('entity_t2i')).toMatchObject({ status: 'completed', recovery_count: 0 });
  expect(await stealsOf('entity_t2i')).toEqual([]);
  expectNothingTwice();
});

test('an owner that hangs beyond the stall limit lets go of its row, and another worker goes on', async () => {
  const { owner, run } = await ownerOfTwo({ STEP_STALL_SECONDS: '2', CALLSHEET_TEST_BLOCK_MS: '600000' });
  owner.signal('SIGUSR2');
  const taken = await run.until('another one has ended the step', 'entity_t2i', (row) => row.status === 'completed');
  expect(taken.owner_pid).not.toBe(owner.pid);
  expect(owner.exit).toBeNull(); // it still hangs
  expectNothingTwice();
});
