import { sql } from 'kysely';
import { claimExpired } from '../../src/rescan/claim';
import { expired } from '../../src/rescan/expired';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { SETTINGS, emptyContexts, putState, stateOf, statusesOf } from '../support/rescan';
import { holdRow } from '../support/held-row';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => emptyContexts(database.db));
afterEach(() => emptyContexts(database.db));

const claim = (changes: Partial<typeof SETTINGS> = {}) => claimExpired(database.db, { ...SETTINGS, ...changes });
const idsOf = (rows: readonly { contextId: string }[]) => rows.map((row) => row.contextId).sort();

describe('a claim', () => {
  it('counts a retry and refreshes the time of what it claims, and touches neither its stages nor its failure', async () => {
    await putState(database.db, {
      id: -1,
      embedding: 'COMPLETED',
      summary: 'PROCESSING',
      retryCount: 1,
      lastFailure: 'boom',
      requestId: 'r1',
    });
    const [row] = await claim();
    expect(row).toEqual({ contextId: '-1', retryCount: 2 });
    const after = await stateOf(database.db, -1);
    expect(after).toMatchObject({ embedding: 'COMPLETED', summary: 'PROCESSING', retryCount: 2, lastFailure: 'boom' });
    expect(after.ageSeconds).toBeLessThan(60);
    expect(after.requestId).not.toBe('r1');
  });

  it('does not find the same row again, since it is not expired any more', async () => {
    await putState(database.db, { id: -1 });
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });

  it('passes by a row that another connection holds, claims its neighbours, and waits for nobody', async () => {
    for (const id of [-1, -2, -3]) await putState(database.db, { id });
    const held = await holdRow(database.url, -2);
    try {
      // A claim without SKIP LOCKED would wait for the row until its lock time-out, and fail.
      expect(idsOf(await claim())).toEqual(['-1', '-3']);
    } finally {
      await held.letGo();
    }
    expect(await stateOf(database.db, -2)).toMatchObject({ retryCount: 0 });
    expect(idsOf(await claim())).toEqual(['-2']);
  });

  it('splits rows of three ages by the two configured thresholds, each stage by its own', async () => {
    const { db } = database;
    // Pending counts after 120 s, processing after 600 s; the ages lie below, between and above.
    for (const [index, ageSeconds] of [60, 300, 900].entries()) {
      await putState(db, { id: -(10 + index), embedding: 'PENDING', summary: 'COMPLETED', ageSeconds });
      await putState(db, { id: -(20 + index), embedding: 'PROCESSING', summary: 'COMPLETED', ageSeconds });
      await putState(db, { id: -(30 + index), embedding: 'COMPLETED', summary: 'PENDING', ageSeconds });
      await putState(db, { id: -(40 + index), embedding: 'COMPLETED', summary: 'PROCESSING', ageSeconds });
      await putState(db, { id: -(50 + index), embedding: 'PENDING', summary: 'PROCESSING', ageSeconds });
    }
    expect(idsOf(await claim())).toEqual(['-11', '-12', '-22', '-31', '-32', '-42', '-51', '-52'].sort());
  });

  it('keeps to the thresholds also where processing expires sooner than pending', async () => {
    await putState(database.db, { id: -1, embedding: 'PENDING', summary: 'COMPLETED', ageSeconds: 300 });
    await putState(database.db, { id: -2, embedding: 'PROCESSING', summary: 'COMPLETED', ageSeconds: 300 });
    expect(idsOf(await claim({ pendingExpiryMs: 600_000, processingExpiryMs: 120_000 }))).toEqual(['-2']);
  });

  it('leaves alone what is finished, cancelled, or has its retries spent, however old', async () => {
    const { db } = database;
    await putState(db, { id: -1, embedding: 'COMPLETED', summary: 'COMPLETED' });
    await putState(db, { id: -2, embedding: 'FAILED', summary: 'COMPLETED' });
    await putState(db, { id: -3, embedding: 'CANCELLED', summary: 'CANCELLED' });
    await putState(db, { id: -4, retryCount: 3 });
    await putState(db, { id: -5, retryCount: 9999 });
    expect(await claim()).toEqual([]);
    expect(await statusesOf(db, -4)).toBe('PENDING/PENDING');
  });

  it('takes the oldest first, and no more than the batch', async () => {
    for (const [index, ageSeconds] of [1_000, 4_000, 3_000, 2_000].entries())
      await putState(database.db, { id: -(index + 1), ageSeconds });
    expect(idsOf(await claim({ batchSize: 2 }))).toEqual(['-2', '-3']);
    expect(idsOf(await claim({ batchSize: 2 }))).toEqual(['-1', '-4']);
  });

  it('of two deployments at once never takes the same row twice, and together they leave none', async () => {
    await sql`
      INSERT INTO ai.context_ai_state (context_id, updated_at)
      SELECT -n, now() - interval '1 day' FROM generate_series(1, 400) AS n`.execute(database.db);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ batchSize: 50 })));
    const ids = claims.flatMap(idsOf);
    expect(ids.length).toBe(new Set(ids).size);
    while ((await claim({ batchSize: 50 })).length > 0); // what was held by another claim at that moment
    const { rows } = await sql<{ retry_count: number; count: string }>`
      SELECT retry_count, count(*) FROM ai.context_ai_state GROUP BY 1`.execute(database.db);
    expect(rows).toEqual([{ retry_count: 1, count: '400' }]);
  });

  it('reads the partial index of unfinished rows, and no row that is finished', async () => {
    await sql`
      INSERT INTO ai.context_ai_state (context_id, embedding_status, summary_status, updated_at)
      SELECT -n, 'COMPLETED', 'COMPLETED', now() - interval '1 day' FROM generate_series(1, 5000) AS n`.execute(
      database.db,
    );
    await putState(database.db, { id: 1 });
    await sql`ANALYZE ai.context_ai_state`.execute(database.db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      EXPLAIN SELECT context_id FROM ai.context_ai_state WHERE retry_count < 3 AND ${expired(SETTINGS)}
      ORDER BY updated_at, context_id LIMIT 100 FOR UPDATE SKIP LOCKED`.execute(database.db);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('context_ai_state_unfinished');
  });
});
