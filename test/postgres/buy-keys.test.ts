import type { Db } from '../../src/db/pool';
import { ERRORS } from '../../src/domain/errors';
import { costOf } from '../../src/purchases/cost-of';
import { requestStates } from '../../src/purchases/request-states';
import { requestHashOf } from '../../src/purchases/request-key';
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

/** The first commit stands, and its answer is lost on the way. */
function losingFirstCommit(db: Db): Db {
  let lost = false;
  const transaction: Db['transaction'] = () => {
    const builder = db.transaction();
    const execute: typeof builder.execute = async (work) => {
      const answer = await builder.execute(work);
      if (lost) return answer;
      lost = true;
      throw new Error('Connection terminated unexpectedly');
    };
    return { execute } as typeof builder;
  };
  const get = (target: Db, name: string | symbol): unknown => {
    if (name === 'transaction') return transaction;
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  };
  return new Proxy(db, { get });
}

describe('a provider that charges one idempotency key once', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let bench: Bench;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    fake = await startFakeProvider({ honoursKeys: true });
    bench = await openBench(database.db, httpProviderOf(fake, { honoursIdempotencyKey: true }));
  });
  afterEach(async () => {
    await fake.close();
    await bench.close();
  });

  it('is asked by old and new owner under one key, and the sum of purchases is what its till says', async () => {
    const first = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    const old = bench
      .worker()
      .buy(contextOf(first, { safePoint: safePointOf(database.db, first) }), imageCall('shot-1'));
    await fake.arrived(1);
    const second = await steal(database.db, first, 'boot-b');
    expect(await bench.worker({ bootId: 'boot-b' }).buy(contextOf(second), imageCall('shot-1'))).toMatchObject({
      outcome: 'bought',
    });
    fake.release();
    expect(await old).toMatchObject({ outcome: 'stopped' });
    expect((await rowsOf(database.db, first)).map((row) => row.status)).toEqual(['settled', 'settled']);
    expect(fake.till).toHaveLength(1);
    const [cost] = await costOf(database.db, first.projectId, 'e1');
    expect(cost!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });

  it('is never in doubt: a cut connection is closed and sent again under the same key until it answers', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'cut' }, { fault: 'cut' });
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect((await rowsOf(database.db, held)).map((row) => row.status)).toEqual(['closed', 'closed', 'settled']);
    expect(new Set(fake.seen.map((request) => request.key)).size).toBe(1);
    expect(await costOf(database.db, held.projectId, 'e1')).toMatchObject([
      { costUsd: 0.04, atRiskUsd: 0, inDoubt: 0 },
    ]);
    expect(fake.tillUsd()).toBe(0.04);
  });

  it('that never answers ends the item, at risk once, and nobody is told that nothing was charged; the next run is charged once', async () => {
    const held = await holdStep(database.db);
    fake.failAll({ fault: 'cut' });
    const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toMatchObject({ outcome: 'item_failed', code: 'provider.unavailable' });
    expect((await rowsOf(database.db, held)).map((row) => row.status)).toEqual(Array(5).fill('closed'));
    expect(await costOf(database.db, held.projectId, 'e1')).toMatchObject([
      { costUsd: 0, atRiskUsd: 0.04, inDoubt: 0 },
    ]);
    const told = `${(outcome as { message: string }).message} ${ERRORS['provider.unavailable'].next}`;
    expect(told).not.toMatch(/nothing was charged|charged nothing/i);
    expect(told).toContain('at risk in callsheet status');
    fake.failAll(null);
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect(await costOf(database.db, held.projectId, 'e1')).toMatchObject([{ costUsd: 0.04, atRiskUsd: 0 }]);
  });

  it('charges nothing for a picture that the disk lost and that is asked again', async () => {
    const held = await holdStep(database.db);
    await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    await bench.close();
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect((await costOf(database.db, held.projectId, 'e1'))[0]!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });

  it.each([true, false])(
    'or not (%s): a commit whose answer was lost sent nothing, so that purchase failed and the next one is sent',
    async (honoured) => {
      const held = await holdStep(database.db);
      const provider = httpProviderOf(fake, { honoursIdempotencyKey: honoured });
      const worker = bench.worker({ db: losingFirstCommit(database.db), providerFor: () => provider });
      expect(await worker.buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
      expect((await rowsOf(database.db, held)).map((row) => row.status)).toEqual(['failed', 'settled']);
      expect(fake.seen).toHaveLength(1);
    },
  );

  it('leaves plan with one look: what is settled, what is open, and what was never asked', async () => {
    const held = await holdStep(database.db);
    const worker = bench.worker({ providerFor: () => httpProviderOf(fake) });
    await worker.buy(contextOf(held), imageCall('shot-1'));
    fake.fail({ fault: 'cut' });
    await worker.buy(contextOf(held), imageCall('shot-2'));
    const eyes = {
      identity: { host: 'studio', pid: 1, bootId: 'boot-p', hostId: null },
      holds: () => true,
      pidExists: () => true,
    };
    const state = await requestStates(database.db, held, 'ask', eyes);
    const of = (item: string, generation = 0) => state(requestHashOf(imageCall(item).request), generation);
    expect([of('shot-1'), of('shot-2'), of('shot-3'), of('shot-1', 1)]).toEqual([
      'settled',
      'in_doubt',
      'none',
      'none',
    ]);
  });
});
