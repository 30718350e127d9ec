import { budgetsOf, setBudget } from '../../src/purchases/set-budget';
import {
  contextOf,
  holdStep,
  httpProviderOf,
  imageCall,
  openBench,
  openRun,
  rowsOf,
  steal,
  textCall,
  type Bench,
} from '../support/buying';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider';

const TWENTY = Array.from({ length: 20 }, (_, n) => `shot-${n}`);

describe('a cap in US dollars', () => {
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

  it('lets seven of twenty calls at once through that reserve under it, says what is committed, and charges seven', async () => {
    const held = await holdStep(database.db);
    await setBudget(database.db, held.projectId, '*', 0.28, 'ada');
    const worker = bench.worker();
    const outcomes = await Promise.all(TWENTY.map((item) => worker.buy(contextOf(held), imageCall(item))));
    expect(outcomes.filter((one) => one.outcome === 'bought')).toHaveLength(7);
    const refused = outcomes.filter((one) => one.outcome === 'budget');
    expect(refused).toHaveLength(13);
    expect(refused[0]).toMatchObject({ capUsd: 0.28, committedUsd: 0.28, estimateUsd: 0.04 });
    expect(refused[0]).toMatchObject({ message: expect.stringContaining('$0.28 for the project') as string });
    expect(await rowsOf(database.db, held)).toHaveLength(7);
    expect(fake.tillUsd()).toBeCloseTo(0.28, 8);
  });

  it('of a run is that run’s alone; another run of the project goes on, and raising it lets the next call through', async () => {
    const held = await holdStep(database.db);
    await setBudget(database.db, held.projectId, held.workflowRunId!, 0.04, 'ada');
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-2'))).toMatchObject({ outcome: 'budget' });
    await setBudget(database.db, held.projectId, held.workflowRunId!, 0.08, 'ada');
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-2'))).toMatchObject({ outcome: 'bought' });
    const other = { ...(await steal(database.db, held, 'boot-a')), workflowRunId: `${held.projectId}-2` };
    await openRun(database.db, other);
    expect(await bench.worker().buy(contextOf(other), imageCall('shot-3'))).toMatchObject({ outcome: 'bought' });
    expect(await budgetsOf(database.db, held.projectId)).toMatchObject([
      { run: held.workflowRunId, capUsd: 0.08, committedUsd: 0.08 },
    ]);
  });

  it('that was given with the start of a run counts, under twenty calls at once, too', async () => {
    const held = { ...(await holdStep(database.db)), workflowRunId: `budget-${Math.random()}` };
    await openRun(database.db, held, '0.10');
    const worker = bench.worker();
    const outcomes = await Promise.all(TWENTY.map((item) => worker.buy(contextOf(held), imageCall(item))));
    expect(outcomes.filter((one) => one.outcome === 'bought')).toHaveLength(2);
    expect(fake.till).toHaveLength(2);
  });

  it('replaces the reserve by the cost once it is known, so that a call cheaper than its estimate leaves room', async () => {
    const held = await holdStep(database.db);
    const dear = httpProviderOf(fake, { estimateUsd: () => 0.05 });
    await setBudget(database.db, held.projectId, '*', 0.09, 'ada');
    const worker = bench.worker({ providerFor: () => dear });
    expect(await worker.buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect(await worker.buy(contextOf(held), imageCall('shot-2'))).toMatchObject({ outcome: 'bought' });
  });

  it('counts what is in doubt and what was closed after it was sent, and nothing that certainly was not charged', async () => {
    const held = await holdStep(database.db);
    const estimated = httpProviderOf(fake, { estimateUsd: () => 1 });
    const worker = bench.worker({ providerFor: () => estimated });
    fake.failAll({ fault: 'cut' });
    expect(await worker.buy(contextOf(held), textCall('scene-1'))).toMatchObject({ outcome: 'in_doubt' });
    fake.failAll({ fault: 'status', status: 500 });
    expect(await worker.buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'item_failed' });
    fake.failAll(null);
    await setBudget(database.db, held.projectId, '*', 2.99, 'ada');
    expect(await worker.buy(contextOf(held), imageCall('shot-2'))).toMatchObject({
      outcome: 'budget',
      committedUsd: 2,
    });
    await setBudget(database.db, held.projectId, '*', 3, 'ada');
    expect(await worker.buy(contextOf(held), imageCall('shot-2'))).toMatchObject({ outcome: 'bought' });
  });

  it('leaves a purchase in doubt as it was when the cap keeps it from being bought again', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'cut' });
    await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    const before = await rowsOf(database.db, held);
    await setBudget(database.db, held.projectId, '*', 0.05, 'ada');
    const rebuy = contextOf(held, { settings: { 'inDoubt.image': 'rebuy' } });
    expect(await bench.worker().buy(rebuy, imageCall('shot-1'))).toMatchObject({ outcome: 'budget' });
    expect(await rowsOf(database.db, held)).toEqual(before);
  });

  it('counts a call once whose key is charged once, however often it was sent', async () => {
    const held = await holdStep(database.db);
    const keyed = httpProviderOf(fake, { honoursIdempotencyKey: true, estimateUsd: () => 0.04 });
    await setBudget(database.db, held.projectId, '*', 0.05, 'ada');
    const worker = bench.worker({ providerFor: () => keyed });
    fake.fail({ fault: 'cut' });
    fake.fail({ fault: 'cut' });
    expect(await worker.buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect((await rowsOf(database.db, held)).map((row) => row.status)).toEqual(['closed', 'closed', 'settled']);
  });

  it('counts a call once, too, while all that was sent under its key is closed', async () => {
    const held = await holdStep(database.db);
    const keyed = httpProviderOf(fake, { honoursIdempotencyKey: true, estimateUsd: () => 0.04 });
    await setBudget(database.db, held.projectId, '*', 1, 'ada');
    fake.failAll({ fault: 'cut' });
    await bench.worker({ providerFor: () => keyed }).buy(contextOf(held), imageCall('shot-1'));
    fake.failAll(null);
    expect((await rowsOf(database.db, held)).map((row) => row.status)).toEqual(Array(5).fill('closed'));
    expect(await budgetsOf(database.db, held.projectId)).toMatchObject([{ committedUsd: 0.04 }]);
  });

  it('must be a sum of money', async () => {
    await expect(setBudget(database.db, 'p', '*', -1, 'ada')).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(setBudget(database.db, 'p', '*', Number.NaN, 'ada')).rejects.toMatchObject({ code: 'input.invalid' });
  });
});
