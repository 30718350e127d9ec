import { finalizeBatch } from '../../src/rescan/finalize';
import { STAGE_STATUSES } from '../../src/domain/context-stages';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { holdRow } from '../support/held-row';
import { SETTINGS, emptyContexts, putState, stateOf, statusesOf } from '../support/rescan';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => emptyContexts(database.db));
afterEach(() => emptyContexts(database.db));

const finalize = (changes: Partial<typeof SETTINGS> = {}) => finalizeBatch(database.db, { ...SETTINGS, ...changes });
const idsOf = (rows: readonly { contextId: string }[]) => rows.map((row) => row.contextId).sort();

describe('finalize', () => {
  it('fails PENDING and PROCESSING stages, keeps COMPLETED ones, and never overwrites CANCELLED or FAILED ones', async () => {
    const { db } = database;
    let id = 0;
    const expected: Record<string, string> = {};
    for (const embedding of STAGE_STATUSES)
      for (const summary of ['PENDING', 'PROCESSING'] as const) {
        id -= 1;
        await putState(db, { id, embedding, summary, retryCount: 3 });
        const after = embedding === 'PENDING' || embedding === 'PROCESSING' ? 'FAILED' : embedding;
        expected[id] = `${after}/FAILED`;
      }
    expect(await finalize()).toHaveLength(10);
    const seen = await Promise.all(Object.keys(expected).map(async (one) => [one, await statusesOf(db, one)]));
    expect(Object.fromEntries(seen)).toEqual(expected);
  });

  it('leaves alone the exhausted row that is not yet expired', async () => {
    await putState(database.db, { id: -1, embedding: 'PENDING', summary: 'COMPLETED', retryCount: 3, ageSeconds: 60 });
    await putState(database.db, {
      id: -2,
      embedding: 'PROCESSING',
      summary: 'COMPLETED',
      retryCount: 3,
      ageSeconds: 300,
    });
    await putState(database.db, { id: -3, embedding: 'PENDING', summary: 'COMPLETED', retryCount: 3, ageSeconds: 300 });
    expect(idsOf(await finalize())).toEqual(['-3']);
    expect(await statusesOf(database.db, -1)).toBe('PENDING/COMPLETED');
    expect(await statusesOf(database.db, -2)).toBe('PROCESSING/COMPLETED');
  });

  it('takes every count from the maximum up, also one far beyond it, and leaves the one below', async () => {
    for (const [id, retryCount] of [
      [-1, 2],
      [-2, 3],
      [-3, 4],
      [-4, 9_999],
    ] as const)
      await putState(database.db, { id, retryCount });
    expect(idsOf(await finalize())).toEqual(['-2', '-3', '-4']);
    expect(await statusesOf(database.db, -1)).toBe('PENDING/PENDING');
    expect(await finalize()).toEqual([]); // a second pass changes nothing
  });

  it('takes rows whose count a lowered maximum has overtaken', async () => {
    await putState(database.db, { id: -1, retryCount: 2 });
    expect(idsOf(await finalize({ maxRetries: 1 }))).toEqual(['-1']);
  });

  it('passes by a row that another connection holds, and fails its neighbours', async () => {
    for (const id of [-1, -2, -3]) await putState(database.db, { id, retryCount: 3 });
    const held = await holdRow(database.url, -2);
    try {
      expect(idsOf(await finalize())).toEqual(['-1', '-3']);
    } finally {
      await held.letGo();
    }
    expect(await statusesOf(database.db, -2)).toBe('PENDING/PENDING');
  });

  it('tells of each row its stages before, the retries spent, the failure and the request', async () => {
    await putState(database.db, {
      id: -1,
      embedding: 'COMPLETED',
      summary: 'PROCESSING',
      retryCount: 3,
      lastFailure: 'HTTP 500',
      requestId: 'r-9',
    });
    expect(await finalize()).toEqual([
      {
        contextId: '-1',
        before: { embedding: 'COMPLETED', summary: 'PROCESSING' },
        retryCount: 3,
        lastFailure: 'HTTP 500',
        requestId: 'r-9',
      },
    ]);
  });

  it('sets the time of what it changes, and of nothing else', async () => {
    await putState(database.db, { id: -1, retryCount: 3 });
    await putState(database.db, { id: -2, embedding: 'COMPLETED', summary: 'FAILED', retryCount: 3 });
    await finalize();
    expect((await stateOf(database.db, -1)).ageSeconds).toBeLessThan(60);
    expect((await stateOf(database.db, -2)).ageSeconds).toBeGreaterThan(3_000);
  });

  it('takes one batch of the oldest', async () => {
    for (const [index, ageSeconds] of [1_000, 3_000, 2_000].entries())
      await putState(database.db, { id: -(index + 1), retryCount: 3, ageSeconds });
    expect(idsOf(await finalize({ batchSize: 2 }))).toEqual(['-2', '-3']);
    expect(idsOf(await finalize({ batchSize: 2 }))).toEqual(['-1']);
  });
});
