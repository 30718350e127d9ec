import path from 'node:path';
import { eventually } from '../support/eventually';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider';
import { startRunIn, type WorldRun } from '../support/world-run';
import { openWorld, type World } from '../support/world';
import type { RealWorker } from '../support/real-worker';
import { answerOffline } from '../../src/providers/offline/text/answer';
import type { Json } from '../../src/domain/json';

/** Spec 15 "Cancel" (SIGTERM), cases C43. Real workers; the provider is a real server that answers when it is told to. */
let world: World;
let vendor: FakeProvider;

beforeEach(async () => {
  vendor = await startFakeProvider();
  vendor.writes((input, task) => JSON.stringify(answerOffline(task, input as Json)));
  world = await openWorld({ CALLSHEET_HTTP_PROVIDER_URL: vendor.url, CALLSHEET_HTTP_PROVIDER_CONCURRENT: '1' });
});

afterEach(async () => {
  await world.close();
  await vendor.close();
});

/** The first of six calls of a step is in flight, and stays so until the provider lets it go; the others wait for their turn. */
async function callInFlight(env: Record<string, string> = {}): Promise<{ worker: RealWorker; run: WorldRun }> {
  const worker = await world.worker(env, { preload: path.join(__dirname, 'preloads/uncaught.cjs') }).ready();
  vendor.failAll({ fault: 'hold' });
  const run = await startRunIn(world, 'p1', {
    steps: ['world_guide', 'entity_t2i'],
    settings: { 'provider.text': 'http', 'inDoubt.text': 'ask' },
  });
  await vendor.arrived(1);
  vendor.release();
  await vendor.arrived(2);
  return { worker, run };
}

/** What a worker that comes after finds: the provider is well again. */
async function anotherGoesOn(run: WorldRun): Promise<void> {
  vendor.failAll(null);
  await world.worker().ready();
  expect(await run.ended()).toBe('done');
}

test('SIGTERM: the call in flight is settled and kept, no other begins, the row is handed back, and another worker takes it at once', async () => {
  const { worker, run } = await callInFlight();
  worker.signal('SIGTERM');
  await eventually('it stops', () => worker.hasLogged('stopping'));
  expect(worker.exit).toBeNull(); // for it waits for the call
  vendor.release();
  expect(await worker.exited).toEqual({ code: 0, signal: null });

  const handedBack = await run.row('entity_t2i');
  expect(handedBack).toMatchObject({
    status: 'pending',
    last_recovery_reason: 'handed back: shutdown',
    completed_count: 1,
  });
  expect(await run.purchases('entity_t2i')).toMatchObject([{ status: 'settled' }]);

  await anotherGoesOn(run);
  const purchases = await run.purchases('entity_t2i');
  expect(purchases.map((purchase) => purchase.status)).toEqual(Array.from({ length: 6 }, () => 'settled'));
  expect(vendor.till).toHaveLength(7); // and one of the world guide: none twice
});

test('SIGTERM while the metrics of a worker that does not poll yet begin to listen: exit 0, as at any other moment', async () => {
  const preload = path.join(__dirname, 'preloads/stop-on-listen.cjs');
  const worker = world.worker({ CALLSHEET_METRICS_PORT: '0' }, { preload });
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(worker).toMatchObject({ readyAtMs: null, said: ['stopping'] });
});

test('a second SIGTERM ends at once with 1, and the next worker finds the row of a dead owner, not a lost one', async () => {
  const { worker, run } = await callInFlight();
  worker.signal('SIGTERM');
  await eventually('it stops', () => worker.hasLogged('stopping'));
  worker.signal('SIGTERM');
  expect(await worker.exited).toEqual({ code: 1, signal: null });
  expect(await run.row('entity_t2i')).toMatchObject({ status: 'running' });

  await world.worker().ready();
  await run.until(
    'it is reclaimed',
    'entity_t2i',
    (row) => row.last_recovery_reason === 'startup reclaim: owner process gone',
  );
});

test('over the grace the call is in doubt and the row handed back before the process ends with 0, and no one buys it again unasked', async () => {
  const { worker, run } = await callInFlight({ SHUTDOWN_GRACE_SECONDS: '1' });
  worker.signal('SIGTERM');
  expect(await worker.exited).toEqual({ code: 0, signal: null });

  expect(await run.purchases('entity_t2i')).toMatchObject([{ status: 'in_doubt' }]);
  expect(await run.row('entity_t2i')).toMatchObject({
    status: 'pending',
    last_recovery_reason: 'handed back: shutdown',
  });
  // Temporal was told: the next attempt does not wait for a heartbeat that never comes.
  expect(await run.failureOf('entity_t2i')).toMatch(/^step\.(handed_back|ownership_lost)$/);

  vendor.failAll(null);
  await world.worker().ready();
  expect(await run.ended()).toBe('partial');
  const [doubtful, ...others] = await run.purchases('entity_t2i');
  expect(doubtful).toMatchObject({ status: 'in_doubt' });
  expect(others.map((purchase) => purchase.status)).toEqual(Array.from({ length: 5 }, () => 'settled'));
});

test('a worker that is asked to stop before it polls ends with 0 and holds nothing', async () => {
  const worker = world.worker();
  await eventually('it lives', () => worker.pid > 0);
  await worker.ready();
  worker.signal('SIGTERM');
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(await world.db.selectFrom('step_run').select('id').execute()).toEqual([]);
});

test('a bug that nobody catches ends the worker with another code than 0, and its row is taken over', async () => {
  const { worker, run } = await callInFlight();
  worker.signal('SIGUSR2');
  const { code } = await worker.exited;
  expect(code).toBeGreaterThan(0);

  vendor.failAll(null);
  await world.worker().ready();
  const taken = await run.until('it is taken over', 'entity_t2i', (row) => row.owner_pid !== worker.pid);
  expect(taken.recovery_count).toBe(1);
});
