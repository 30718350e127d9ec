import { createArtifactStore } from '../../src/store/artifacts/store';
import { AppError } from '../../src/domain/errors';
import type { Stop } from '../../src/domain/stop';
import { costOf } from '../../src/purchases/cost-of';
import {
  contextOf,
  holdStep,
  httpProviderOf,
  imageCall,
  openBench,
  rowsOf,
  safePointOf,
  steal,
  type Bench,
} from '../support/buying';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider';

describe('who may buy, and until when', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let bench: Bench;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    fake = await startFakeProvider();
    bench = await openBench(database.db, httpProviderOf(fake));
  });
  afterEach(async () => {
    await fake.close();
    await bench.close();
  });

  it.each([
    ['another owner has the row', { owner_boot_id: 'boot-z' }],
    ['the row has another run', { run_id: 'another' }],
    ['the row was released and kept its run', { status: 'failed' }],
  ])('sends nothing and writes nothing once %s', async (_what, change) => {
    const held = await holdStep(database.db);
    await database.db.updateTable('step_run').set(change).where('project_id', '=', held.projectId).execute();
    const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toEqual({ outcome: 'stopped', stop: { why: 'ownership_lost' } });
    expect(await rowsOf(database.db, held)).toEqual([]);
    expect(fake.seen).toEqual([]);
  });

  it('sends nothing for a run that has ended, and hands back the row that it still holds', async () => {
    const held = await holdStep(database.db);
    await database.db
      .updateTable('run')
      .set({ ended_at: 'now' })
      .where('workflow_run_id', '=', held.workflowRunId)
      .execute();
    const buy = () => bench.worker().buy(contextOf(held), imageCall('shot-1'));
    const stop: Stop = { why: 'handed_back', cause: 'its run has ended' };
    expect(await buy()).toEqual({ outcome: 'stopped', stop });
    await steal(database.db, held, 'boot-z');
    expect(await buy()).toEqual({ outcome: 'stopped', stop: { why: 'ownership_lost' } });
    expect(await rowsOf(database.db, held)).toEqual([]);
  });

  it.each(['*', 'scene_image_pipeline'])(
    'sends nothing once a cancel of %s has answered; a cancel of another step stops nothing',
    async (step) => {
      const held = await holdStep(database.db);
      const cancel = (what: string) =>
        database.db
          .insertInto('run_cancel')
          .values({ workflow_run_id: held.workflowRunId!, step: what, by: 'ada' })
          .execute();
      await cancel('entity_t2i');
      expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
      await cancel(step);
      const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-2'));
      expect(outcome).toEqual({ outcome: 'stopped', stop: { why: 'cancelled' } });
      expect(fake.seen).toHaveLength(1);
    },
  );

  it('heeds a cancel that another tool wrote on the row', async () => {
    const held = await holdStep(database.db);
    await database.db
      .updateTable('step_run')
      .set({ cancel_requested_at: 'now' })
      .where('project_id', '=', held.projectId)
      .execute();
    const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toEqual({ outcome: 'stopped', stop: { why: 'cancelled' } });
  });

  it('never cuts a call in flight because of a cancel: its picture is kept and given', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    let stop: Stop | null = null;
    const buying = bench.worker().buy(contextOf(held, { safePoint: () => Promise.resolve(stop) }), imageCall('shot-1'));
    await fake.arrived(1);
    stop = { why: 'cancelled' };
    fake.release();
    expect(await buying).toMatchObject({ outcome: 'bought' });
    expect(await rowsOf(database.db, held)).toMatchObject([{ status: 'settled' }]);
  });

  it('ends a back-off within one poll of the cancel', async () => {
    const held = await holdStep(database.db);
    fake.failAll({ fault: 'status', status: 429, headers: { 'retry-after': '600' } });
    const cancelled = () => Promise.resolve(bench.slept.length > 2 ? ({ why: 'cancelled' } as const) : null);
    const outcome = await bench.worker().buy(contextOf(held, { safePoint: cancelled }), imageCall('shot-1'));
    expect(outcome).toEqual({ outcome: 'stopped', stop: { why: 'cancelled' } });
    expect(bench.slept.length).toBe(3);
    expect(Math.max(...bench.slept)).toBeLessThanOrEqual(1_000);
    expect(fake.seen).toHaveLength(1);
  });

  it('settles the late answer of a sender that lost the step, which the new owner adopts instead of buying', async () => {
    const first = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    const old = bench
      .worker()
      .buy(contextOf(first, { safePoint: safePointOf(database.db, first) }), imageCall('shot-1'));
    await fake.arrived(1);
    const second = await steal(database.db, first, 'boot-b');
    const next = bench.worker({ bootId: 'boot-b' }).buy(contextOf(second), imageCall('shot-1'));
    fake.release();
    expect(await old).toEqual({ outcome: 'stopped', stop: { why: 'ownership_lost' } });
    const [row] = await rowsOf(database.db, first);
    expect(await next).toMatchObject({ outcome: 'reused', purchaseId: row!.id });
    expect(fake.till).toHaveLength(1);
  });

  it('keeps and counts a late answer that was bought again meanwhile, and goes on reusing the one settled first', async () => {
    const first = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    const old = bench
      .worker()
      .buy(contextOf(first, { safePoint: safePointOf(database.db, first) }), imageCall('shot-1'));
    await fake.arrived(1);
    const long_ago = '2020-01-01T00:00:00.000000Z';
    await database.db
      .updateTable('purchase')
      .set({ deadline_at: long_ago })
      .where('project_id', '=', first.projectId)
      .execute();
    const second = await steal(database.db, first, 'boot-b');
    const rebuy = { settings: { 'inDoubt.image': 'rebuy' } };
    const next = await bench.worker({ bootId: 'boot-b' }).buy(contextOf(second, rebuy), imageCall('shot-1'));
    expect((await rowsOf(database.db, first)).map((row) => row.status)).toEqual(['closed', 'settled']);
    fake.release();
    expect(await old).toMatchObject({ outcome: 'stopped' });
    expect((await rowsOf(database.db, first)).map((row) => row.status)).toEqual(['settled', 'settled']);
    expect((await costOf(database.db, first.projectId, 'e1'))[0]!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
    const id = next.outcome === 'bought' ? next.purchaseId : '';
    expect(await bench.worker({ bootId: 'boot-b' }).buy(contextOf(second), imageCall('shot-1'))).toMatchObject({
      purchaseId: id,
    });
  });

  it('does not send when too long has passed since the purchase was opened, calls that failed, and sends the next one', async () => {
    const held = await holdStep(database.db);
    // Six seconds pass between the first purchase's opening and its sending, none later.
    let estimates = 0;
    let readsSince = 0;
    const provider = httpProviderOf(fake);
    const counting = { ...provider, estimateUsd: () => ((readsSince = 0), (estimates += 1), 0.04) };
    const monotonicMs = () => ((readsSince += 1), estimates > 1 || (estimates === 1 && readsSince > 1) ? 6_000 : 0);
    const worker = bench.worker({ monotonicMs, sendWindowMs: 5_000, providerFor: () => counting });
    const outcome = await worker.buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toMatchObject({ outcome: 'bought' });
    expect((await rowsOf(database.db, held)).map((row) => [row.status, Number(row.cost_usd)])).toEqual([
      ['failed', 0],
      ['settled', 0.04],
    ]);
    expect(fake.seen).toHaveLength(1);
  });

  it('leaves a call in doubt when the grace of a shutdown is over, and keeps its answer all the same', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    const grace = new AbortController();
    const worker = bench.worker({ graceOver: grace.signal });
    const buying = worker.buy(contextOf(held), imageCall('shot-1'));
    await fake.arrived(1);
    grace.abort();
    expect(await buying).toMatchObject({ outcome: 'stopped', stop: { why: 'handed_back' } });
    expect(await rowsOf(database.db, held)).toMatchObject([{ status: 'in_doubt' }]);
    expect(worker.inFlight()).toEqual([]);
    fake.release();
    // The same worker asks again, and adopts what came late.
    const rebuy = contextOf(held, { settings: { 'inDoubt.image': 'ask' } });
    let again = await bench.worker().buy(rebuy, imageCall('shot-1'));
    for (let n = 0; again.outcome === 'in_doubt' && n < 500; n += 1)
      again = await bench.worker().buy(rebuy, imageCall('shot-1'));
    expect(again).toMatchObject({ outcome: 'reused' });
    expect(fake.till).toHaveLength(1);
  });

  it('counts an answer that the disk did not take, and says so instead of buying on', async () => {
    const held = await holdStep(database.db);
    const full = {
      ...createArtifactStore(bench.artifactDir),
      put: () => Promise.reject(new AppError('purchase.store_failed', 'disk full')),
    };
    await expect(bench.worker({ artifacts: full }).buy(contextOf(held), imageCall('shot-1'))).rejects.toMatchObject({
      code: 'purchase.store_failed',
    });
    expect(await rowsOf(database.db, held)).toMatchObject([{ status: 'invalid', error_code: 'purchase.store_failed' }]);
    expect((await costOf(database.db, held.projectId, 'e1'))[0]!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });
});
