import { sql } from 'kysely';
import { reportStage } from '../../src/contexts/report-stage';
import { letTimePass, putContext, stateOf, statusesOf } from '../support/rescan';
import { openRoundBench, type RoundBench } from '../support/round-bench';

/** Nothing listens here: the port is below those that systems hand out, and is no service's. */
const NOBODY = 'http://127.0.0.1:4191/';

let bench: RoundBench;
let database: RoundBench['database'];
let service: RoundBench['service'];
let round: RoundBench['round'];
let roundsUntilQuiet: RoundBench['roundsUntilQuiet'];
beforeAll(async () => {
  bench = await openRoundBench();
  ({ database, service, round, roundsUntilQuiet } = bench);
});
afterAll(() => bench.close());
beforeEach(() => bench.clean());
afterEach(() => bench.clean());

describe('a request that fails', () => {
  it.each([
    [
      'the service refuses the secret',
      () => service.answerWith(() => ({ status: 401 })),
      {},
      /^unauthorized: HTTP 401/,
    ],
    [
      'the service has a bug',
      () => service.answerWith(() => ({ status: 500, body: 'out\u0000 of memory' })),
      {},
      /^server_error: HTTP 500 out. of memory/,
    ],
    [
      'the service says nothing',
      () => service.answerWith(() => 'nothing'),
      { timeoutMs: 100 },
      /^timeout: no answer within 100 ms/,
    ],
    ['the service hangs up', () => service.answerWith(() => 'hang up'), {}, /^unreachable: /],
    [
      'the service answers 200, and nobody knows what that means',
      () => service.answerWith(() => ({ status: 200 })),
      {},
      /^refused: HTTP 200/,
    ],
    [
      'the service would send the secret elsewhere',
      () => service.answerWith(() => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } })),
      {},
      /^refused: HTTP 307/,
    ],
    ['there is no service', () => undefined, { url: NOBODY }, /^unreachable: ECONNREFUSED/],
    ['none is configured', () => undefined, { url: undefined }, /^not_configured: AI_URL/],
  ])('because %s: is kept as the failure, and ends FAILED after its retries', async (_why, prepare, ai, failure) => {
    prepare();
    const id = await putContext(database.db);
    const before = await stateOf(database.db, id);
    expect(await round({}, ai)).toMatchObject({ claimed: 1, sent: 0, failed: 1 });
    const after = await stateOf(database.db, id);
    expect(after.lastFailure).toMatch(failure);
    expect(after.lastFailure).toContain(after.requestId);
    expect(after.lastFailure).not.toContain('the-secret');
    expect(before.lastFailure).toBeNull();
    expect(await roundsUntilQuiet(ai)).toBe(3); // two more retries, and the round that fails it
    expect(await stateOf(database.db, id)).toMatchObject({ embedding: 'FAILED', summary: 'FAILED', retryCount: 3 });
  });

  it('because it cannot be built leaves the other 99 of its batch alone', async () => {
    const { db } = database;
    const ids = [];
    for (let index = 0; index < 99; index += 1) ids.push(await putContext(db));
    const poisoned = await putContext(db, { body: 'x'.repeat(500_001) });
    expect(await round()).toMatchObject({ claimed: 100, sent: 99, failed: 1, failures: { build_failed: 1 } });
    expect(service.asked.map(({ request }) => request.contextId).sort()).toEqual([...ids].sort());
    expect((await stateOf(db, poisoned)).lastFailure).toMatch(/^build_failed: The body has 500001 characters/);
    expect(await roundsUntilQuiet()).toBe(3);
    expect(await statusesOf(db, poisoned)).toBe('FAILED/FAILED');
  });

  it('after its 202, with nobody told, ends FAILED without a failure that anybody knows', async () => {
    const id = await putContext(database.db);
    expect(await roundsUntilQuiet()).toBe(4);
    expect(service.asked).toHaveLength(3);
    expect(await stateOf(database.db, id)).toMatchObject({ embedding: 'FAILED', summary: 'FAILED', lastFailure: null });
  });

  it('half way leaves the finished stage COMPLETED, and asks and fails the other one only', async () => {
    const id = await putContext(database.db, { embedding: 'COMPLETED', summary: 'PROCESSING' });
    await roundsUntilQuiet();
    expect(service.asked.map(({ request }) => request.stages)).toEqual([['summary'], ['summary'], ['summary']]);
    expect(await statusesOf(database.db, id)).toBe('COMPLETED/FAILED');
  });

  it('once, and then is served, ends COMPLETED', async () => {
    const { db } = database;
    const id = await putContext(db);
    let answers = 0;
    service.answerWith(() => ({ status: (answers += 1) === 1 ? 500 : 202 }));
    await round();
    await letTimePass(db);
    await round();
    const { request } = service.asked[1]!;
    for (const stage of request.stages)
      await db.transaction().execute((tx) =>
        reportStage(tx, {
          contextId: id,
          stage,
          status: 'COMPLETED',
          contentHash: request.contentHash,
          result: { model: 'm', text: 't' },
        }),
      );
    expect(await statusesOf(db, id)).toBe('COMPLETED/COMPLETED');
    expect(await roundsUntilQuiet()).toBe(0);
  });

  it('is never pending for ever, whichever way each of a hundred goes', async () => {
    const { db } = database;
    for (let index = 0; index < 100; index += 1)
      await putContext(db, {
        embedding: index % 2 ? 'PROCESSING' : 'PENDING',
        summary: index % 3 ? 'PENDING' : 'COMPLETED',
        retryCount: index % 4,
      });
    const ways = [{ status: 401 }, { status: 500 }, 'hang up', { status: 202 }] as const;
    service.answerWith(({ contextId }) => ways[Number(contextId) % ways.length]!);
    await roundsUntilQuiet();
    const { rows } = await sql<{ unfinished: string }>`
      SELECT count(*) AS unfinished FROM ai.context_ai_state
      WHERE embedding_status IN ('PENDING', 'PROCESSING') OR summary_status IN ('PENDING', 'PROCESSING')`.execute(db);
    expect(rows[0]?.unfinished).toBe('0');
  });
});
