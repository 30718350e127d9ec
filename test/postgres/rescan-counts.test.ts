import { sql } from 'kysely';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createRescanActivities } from '../../src/activities/rescan-round';
import { createAiClient } from '../../src/contexts/ai-client';
import type { LoopRounds } from '../../src/workflows/rescan-contract';
import { openContextDoors } from '../support/context-doors';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { emptyContexts, keepingLog, putState, SETTINGS } from '../support/rescan';

const AI = { url: undefined, secret: undefined, timeoutMs: 1_000, concurrentRequests: 8, queueLength: 8 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => emptyContexts(database.db));

function round(rounds: LoopRounds) {
  const { db } = database;
  const { log } = keepingLog();
  const rescan = { ...SETTINGS, intervalMs: 1_000 };
  const { rescanRound } = createRescanActivities({
    ...{ db, log, rescan, ai: AI },
    client: createAiClient(AI),
    monotonicMs: () => 0,
  });
  return new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') }).run(() =>
    rescanRound({ rounds }),
  );
}

async function totals() {
  const { roundsDone, roundsFailed, rows } = (await openContextDoors(database.db, AI).rescan.status()).totals;
  return { roundsDone, roundsFailed, rows };
}

describe('the rounds in the metrics', () => {
  it('are those of all loops, each counted once, also where its worker died after it had counted', async () => {
    await round({ loop: 'one', done: 4, failed: 2 });
    expect(await totals()).toMatchObject({ roundsDone: 5, roundsFailed: 2 });
    await round({ loop: 'one', done: 4, failed: 3 }); // Temporal never heard of the first one, and took it for failed
    expect(await totals()).toMatchObject({ roundsDone: 5, roundsFailed: 3 });
    await round({ loop: 'two', done: 0, failed: 0 });
    expect(await totals()).toMatchObject({ roundsDone: 6, roundsFailed: 3 });
  });

  it('have the failed ones at once, and what they did until they failed', async () => {
    const { db } = database;
    await putState(db, { id: -1, retryCount: 3 });
    await putState(db, { id: -2 });
    await sql`ALTER TABLE ai.context_ai_state ADD CONSTRAINT in_the_way CHECK (retry_count <> 1)`.execute(db);
    try {
      await expect(round({ loop: 'one', done: 0, failed: 0 })).rejects.toThrow(/in_the_way/);
    } finally {
      await sql`ALTER TABLE ai.context_ai_state DROP CONSTRAINT in_the_way`.execute(db);
    }
    expect(await totals()).toEqual({ roundsDone: 0, roundsFailed: 1, rows: { finalized: 1 } });
  });

  it('have those that failed without a word, though the next round fails, too', async () => {
    const { db } = database;
    await sql`ALTER TABLE ai.context_ai_state RENAME TO hidden`.execute(db);
    try {
      await expect(round({ loop: 'one', done: 7, failed: 3 })).rejects.toThrow(/context_ai_state/);
    } finally {
      await sql`ALTER TABLE ai.hidden RENAME TO context_ai_state`.execute(db);
    }
    expect(await totals()).toMatchObject({ roundsDone: 7, roundsFailed: 4 });
  });
});
