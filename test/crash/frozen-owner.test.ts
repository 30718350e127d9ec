import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../support/eventually';
import { ledgerSnapshot } from '../support/ledger-snapshot';
import type { RealWorker } from '../support/real-worker';
import { startRunIn, type WorldRun } from '../support/world-run';
import { openWorld, type World } from '../support/world';

/** Owners that stop, hang or compute for longer than their lease (spec 10 "Heartbeat"; cases C02, C31). The lease is 3 s. */
/** Longer than the lease, shorter than what makes the SDK give an attempt up by itself (the lease and 5 s). */
const BLOCK_MS = 6_000;
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
  const row = await run.until('the step runs', 'entity_t2i', ({ status }) => status === 'running');
  await eventually('a call of it is in flight', async () => (await run.purchases('entity_t2i')).length > 0);
  return { owner: workers.find((worker) => worker.pid === row.owner_pid)!, run };
}

/** The offline till: one line a charge. */
function chargedKeys(): string[] {
  return readFileSync(world.tillFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { key: string }).key);
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
  const keys = chargedKeys();
  expect(new Set(keys).size).toBe(keys.length);
});

test('an owner whose main thread computes for two leases keeps its row: its beat goes on in a thread of its own', async () => {
  const { owner, run } = await ownerOfTwo();
  const before = (await run.row('entity_t2i'))!;
  owner.signal('SIGUSR2');
  await eventually('it has computed', () => owner.said.includes('unblocked'));
  expect(await run.ended()).toBe('done');

  const after = (await run.row('entity_t2i'))!;
  expect(after).toMatchObject({ status: 'completed', run_id: before.run_id, owner_pid: owner.pid, recovery_count: 0 });
  expect((await run.purchases()).every((purchase) => purchase.status === 'settled')).toBe(true);
  const keys = chargedKeys();
  expect(new Set(keys).size).toBe(keys.length);
});

test('an owner that hangs beyond the stall limit lets go of its row, says so, and writes nothing to it when it lives again', async () => {
  const { owner, run } = await ownerOfTwo({ STEP_STALL_SECONDS: '2', CALLSHEET_TEST_BLOCK_MS: '20000' });
  owner.signal('SIGUSR2');
  const taken = await run.until('another one has ended the step', 'entity_t2i', (row) => row.status === 'completed');
  expect(taken.owner_pid).not.toBe(owner.pid);
  const before = await ledgerSnapshot(world, 'entity_t2i');

  await eventually('it lives again', () => owner.said.includes('unblocked'));
  await eventually('it says why its locks went stale', () => owner.hasLogged('the main thread hangs'));
  owner.signal('SIGTERM');
  expect(await owner.exited).toEqual({ code: 0, signal: null });
  expect(await ledgerSnapshot(world, 'entity_t2i')).toEqual(before);
});
