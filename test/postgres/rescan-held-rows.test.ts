import { sql } from 'kysely';
import { askAi } from '../../src/contexts/ask';
import { createAiClient } from '../../src/contexts/ai-client';
import { addToCounters } from '../../src/contexts/counters';
import { keepingLog, putContext, stateOf } from '../support/rescan';
import { openRoundBench, type RoundBench } from '../support/round-bench';

/** Rows that somebody holds for as long as he likes: an operator's psql with a transaction open. Each wait ends after 5 s. */

let bench: RoundBench;
beforeAll(async () => {
  bench = await openRoundBench();
});
afterAll(() => bench.close());
beforeEach(() => bench.clean());

/** Holds what the statement locks, while `work` goes on. After 20 s the server ends it: work that would wait for ever then lands. */
async function whileHeld<T>(statement: ReturnType<typeof sql>, work: () => Promise<T>): Promise<T> {
  const { db } = bench.database;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let locked = () => {};
  const isLocked = new Promise<void>((resolve) => (locked = resolve));
  const holding = db.transaction().execute(async (tx) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = '20s'`.execute(tx);
    await statement.execute(tx);
    locked();
    await held;
  });
  await isLocked;
  try {
    return await work();
  } finally {
    letGo();
    await holding.catch(() => undefined); // ended by the server, where the work has hung
  }
}

describe('a row that an operator holds', () => {
  it('hangs no request that failed: the failure stands in the log, and the row stays to be found', async () => {
    const { database, service } = bench;
    service.answerWith(() => ({ status: 500 }));
    const id = await putContext(database.db);
    const { log, lines } = keepingLog();
    const asked = await whileHeld(sql`SELECT 1 FROM ai.context_ai_state WHERE context_id = ${id} FOR UPDATE`, () =>
      askAi({ db: database.db, client: createAiClient(service.settings()), log }, id),
    );
    expect(asked).toEqual({ outcome: 'failed', reason: 'server_error' });
    expect(lines.at(-1)).toMatchObject({ level: 'warn', fields: { err: { code: 'db.lock_timeout' } } });
    expect(await stateOf(database.db, id)).toMatchObject({ embedding: 'PENDING', lastFailure: null });
  });

  it('of the sums for metrics hangs nobody who counts', async () => {
    const { db } = bench.database;
    await addToCounters(db, [{ name: 'requests', label: 'sent', by: 1 }]);
    const counting = () => addToCounters(db, [{ name: 'requests', label: 'sent', by: 1 }]);
    await expect(whileHeld(sql`SELECT 1 FROM ai.rescan_counter FOR UPDATE`, counting)).rejects.toMatchObject({
      code: 'db.lock_timeout',
    });
    expect(await db.selectFrom('ai.rescan_counter').select('value').execute()).toEqual([{ value: 1 }]);
  });
});
