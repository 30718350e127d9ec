import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { costOf } from '../../src/purchases/cost-of';
import {
  contextOf,
  holdStep,
  httpProviderOf,
  imageCall,
  openBench,
  rowsOf,
  textCall,
  type Bench,
} from '../support/buying';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider';

describe('buying a call', () => {
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

  it('settles what it bought at the price on the till, and keeps its content in the store', async () => {
    const held = await holdStep(database.db);
    const bought = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(bought).toMatchObject({ outcome: 'bought', model: 'artist-1' });
    const [row] = await rowsOf(database.db, held);
    expect(row).toMatchObject({ status: 'settled', item_id: 'shot-1', error_code: null, response_type: 'image/png' });
    expect(Number(row!.cost_usd)).toBeCloseTo(fake.tillUsd(), 8);
    expect(await bench.artifacts.get(row!.response_ref!)).not.toBeNull();
  });

  it('reuses a settled answer for every item and every later run of the generation, and asks the provider once', async () => {
    const held = await holdStep(database.db);
    const first = await bench.worker().buy(contextOf(held), imageCall('shot-1', 'the same words'));
    const other = { ...imageCall('shot-2', 'the same words'), request: imageCall('shot-1', 'the same words').request };
    const second = await bench.worker().buy(contextOf(held), other);
    expect(second).toMatchObject({ outcome: 'reused', purchaseId: first.outcome === 'bought' && first.purchaseId });
    expect(second.outcome === 'reused' && Object.keys(second.results)).toEqual(['shot-2']);
    expect(fake.seen).toHaveLength(1);
  });

  it('asks anew in a new generation, and keeps the purchase of the earlier one', async () => {
    const held = await holdStep(database.db);
    await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(await bench.worker().buy(contextOf(held, { generation: 1 }), imageCall('shot-1'))).toMatchObject({
      outcome: 'bought',
    });
    expect((await rowsOf(database.db, held)).map((row) => [row.generation, row.status])).toEqual([
      [0, 'settled'],
      [1, 'settled'],
    ]);
    expect(new Set(fake.seen.map((request) => request.key)).size).toBe(2);
  });

  it('stands as sent before the request arrives, and holds no transaction while it waits', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    const worker = bench.worker();
    const buying = worker.buy(contextOf(held), imageCall('shot-1'));
    await fake.arrived(1);
    const [row] = await rowsOf(database.db, held);
    expect(row).toMatchObject({ status: 'sent', run_id: held.runId, owner_boot_id: 'boot-a' });
    expect(row!.deadline_at > row!.sent_at).toBe(true);
    expect(worker.inFlight()).toMatchObject([{ purchaseId: row!.id, stepId: held.stepId, itemId: 'shot-1' }]);
    const idle = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`.execute(database.db);
    expect(idle.rows[0]!.n).toBe(0);
    fake.release();
    expect(await buying).toMatchObject({ outcome: 'bought' });
    expect(worker.inFlight()).toEqual([]);
  });

  it('makes one call of ten that want the same at once, and gives its answer to all', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    const worker = bench.worker();
    const all = Promise.all(Array.from({ length: 10 }, () => worker.buy(contextOf(held), imageCall('shot-1'))));
    await fake.arrived(1);
    fake.release();
    const outcomes = (await all).map((one) => one.outcome).sort();
    expect(outcomes).toEqual(['bought', ...Array.from({ length: 9 }, () => 'reused')]);
    expect(fake.till).toHaveLength(1);
    expect(await rowsOf(database.db, held)).toHaveLength(1);
  });

  it('lets no more calls leave at once than the provider bears, and all in the end', async () => {
    const limited = httpProviderOf(fake, { limits: { concurrentCalls: 2, callsPerMinute: 1_000 } });
    const worker = bench.worker({ providerFor: () => limited });
    const held = await holdStep(database.db);
    fake.fail({ fault: 'hold' }, { fault: 'hold' });
    const all = Promise.all([1, 2, 3, 4, 5].map((n) => worker.buy(contextOf(held), imageCall(`shot-${n}`))));
    await fake.arrived(2);
    expect(worker.inFlight()).toHaveLength(2);
    expect(fake.seen).toHaveLength(2);
    fake.release();
    expect((await all).map((one) => one.outcome)).toEqual(Array(5).fill('bought'));
  });

  it('buys again what the disk has lost, and forgets neither purchase', async () => {
    const held = await holdStep(database.db);
    await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    const [lost] = await rowsOf(database.db, held);
    await writeFile(bench.artifacts.path(lost!.response_ref!)!, '');
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    const rows = await rowsOf(database.db, held);
    expect(rows.map((row) => [row.status, row.unusable_at !== null])).toEqual([
      ['settled', true],
      ['settled', false],
    ]);
    const [cost] = await costOf(database.db, held.projectId, held.episodeId);
    expect(cost!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });

  it('keeps a paid answer whose reader crashes, and reads that same answer next time', async () => {
    const held = await holdStep(database.db);
    const crashing = textCall('scene-1', () => {
      throw new Error('a bug in the reader');
    });
    await expect(bench.worker().buy(contextOf(held), crashing)).rejects.toThrow('a bug in the reader');
    expect(await bench.worker().buy(contextOf(held), textCall('scene-1'))).toMatchObject({ outcome: 'reused' });
    expect(fake.till).toHaveLength(1);
  });
});
