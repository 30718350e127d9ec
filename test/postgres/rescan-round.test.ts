import { sql } from 'kysely';
import { createAiClient } from '../../src/contexts/ai-client';
import { contentHash } from '../../src/contexts/content-hash';
import { reportStage } from '../../src/contexts/report-stage';
import type { AiSettings } from '../../src/config';
import { openRound } from '../../src/rescan/open-round';
import { runRound } from '../../src/rescan/round';
import type { RoundCounts } from '../../src/rescan/round-counts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { openFakeAiService, type FakeAiService } from '../support/fake-ai-service';
import { SETTINGS, emptyContexts, keepingLog, letTimePass, putContext, putState, stateOf, statusesOf } from '../support/rescan';

/** Nothing listens here: the port is below those that systems hand out, and is no service's. */
const NOBODY = 'http://127.0.0.1:4191/';

let database: TestDatabase;
let service: FakeAiService;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await openFakeAiService();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(async () => {
  await emptyContexts(database.db);
  service.reset();
});
afterEach(() => emptyContexts(database.db));

function round(changes: Partial<typeof SETTINGS> = {}, ai: Partial<AiSettings> = {}): Promise<RoundCounts> {
  const { log } = keepingLog();
  const settings = { ...SETTINGS, ...changes };
  const aiSettings = service.settings(ai);
  const steps = openRound({ db: database.db, client: createAiClient(aiSettings), log }, settings);
  return runRound(steps, { ...settings, ...aiSettings, log, stop: new AbortController().signal, monotonicMs: () => performance.now() });
}

/** Rounds with the time between them passed, until one finds nothing. */
async function roundsUntilQuiet(ai: Partial<AiSettings> = {}): Promise<number> {
  for (let rounds = 1; rounds <= 10; rounds += 1) {
    await letTimePass(database.db);
    const { finalized, claimed } = await round({}, ai);
    if (finalized + claimed === 0) return rounds - 1;
  }
  throw new Error('After ten rounds there is still something to do.');
}

describe('what is asked', () => {
  it('is the whole context as it is now, with the unfinished stages only, its hash and the secret', async () => {
    const { db } = database;
    const id = await putContext(db, { projectId: 'harbour', title: 'Fog', body: 'It rolls in at five.', embedding: 'COMPLETED', summary: 'PROCESSING' });
    expect(await round()).toMatchObject({ claimed: 1, sent: 1 });
    const { requestId } = await stateOf(db, id);
    expect(service.asked).toEqual([
      {
        authorization: 'Bearer the-secret',
        request: {
          requestId,
          contextId: id,
          projectId: 'harbour',
          title: 'Fog',
          body: 'It rolls in at five.',
          contentHash: contentHash({ title: 'Fog', body: 'It rolls in at five.' }),
          stages: ['summary'],
        },
      },
    ]);
  });

  it('leaves PROCESSING and COMPLETED to the reports: a 202 moves no stage', async () => {
    const id = await putContext(database.db);
    await round();
    expect(await stateOf(database.db, id)).toMatchObject({ embedding: 'PENDING', summary: 'PENDING', retryCount: 1, lastFailure: null });
  });
});

describe('a row that spends its last retry in a round', () => {
  it('is asked for in that round, and failed by a later one only', async () => {
    const id = await putContext(database.db, { retryCount: 2 });
    expect(await round()).toMatchObject({ finalized: 0, claimed: 1, sent: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({ embedding: 'PENDING', summary: 'PENDING', retryCount: 3 });
    expect(await round()).toMatchObject({ finalized: 0, claimed: 0 });
    expect(await statusesOf(database.db, id)).toBe('PENDING/PENDING');
    await letTimePass(database.db);
    expect(await round()).toMatchObject({ finalized: 1, claimed: 0 });
    expect(await statusesOf(database.db, id)).toBe('FAILED/FAILED');
    expect(service.asked).toHaveLength(1);
  });
});

describe('a request that fails', () => {
  it.each([
    ['the service refuses the secret', () => service.answerWith(() => ({ status: 401 })), {}, /^unauthorized: HTTP 401/],
    ['the service has a bug', () => service.answerWith(() => ({ status: 500, body: 'out\u0000 of memory' })), {}, /^server_error: HTTP 500 out. of memory/],
    ['the service says nothing', () => service.answerWith(() => 'nothing'), { timeoutMs: 100 }, /^timeout: no answer within 100 ms/],
    ['the service hangs up', () => service.answerWith(() => 'hang up'), {}, /^unreachable: /],
    ['the service answers 200, and nobody knows what that means', () => service.answerWith(() => ({ status: 200 })), {}, /^refused: HTTP 200/],
    ['the service would send the secret elsewhere', () => service.answerWith(() => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } })), {}, /^refused: HTTP 307/],
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
      await db.transaction().execute((tx) => reportStage(tx, { contextId: id, stage, status: 'COMPLETED', contentHash: request.contentHash, result: { model: 'm', text: 't' } }));
    expect(await statusesOf(db, id)).toBe('COMPLETED/COMPLETED');
    expect(await roundsUntilQuiet()).toBe(0);
  });

  it('is never pending for ever, whichever way each of a hundred goes', async () => {
    const { db } = database;
    for (let index = 0; index < 100; index += 1) await putContext(db, { embedding: index % 2 ? 'PROCESSING' : 'PENDING', summary: index % 3 ? 'PENDING' : 'COMPLETED', retryCount: index % 4 });
    const ways = [{ status: 401 }, { status: 500 }, 'hang up', { status: 202 }] as const;
    service.answerWith(({ contextId }) => ways[Number(contextId) % ways.length]!);
    await roundsUntilQuiet();
    const { rows } = await sql<{ unfinished: string }>`
      SELECT count(*) AS unfinished FROM ai.context_ai_state
      WHERE embedding_status IN ('PENDING', 'PROCESSING') OR summary_status IN ('PENDING', 'PROCESSING')`.execute(db);
    expect(rows[0]?.unfinished).toBe('0');
  });
});

describe('a round with a slow service', () => {
  it('has no transaction open, and no row locked, while requests are under way', async () => {
    for (let index = 0; index < 5; index += 1) await putContext(database.db);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    service.answerWith(async () => {
      await asked;
      return { status: 202 };
    });
    const running = round();
    await eventually('five requests are open', () => service.open() === 5);
    const { rows } = await sql<{ state: string }>`
      SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`.execute(database.db);
    const { rows: free } = await sql`SELECT context_id FROM ai.context_ai_state FOR UPDATE NOWAIT`.execute(database.db);
    answer();
    expect(await running).toMatchObject({ sent: 5 });
    expect(rows).toEqual([]);
    expect(free).toHaveLength(5);
  });

  it('asks for a hundred in bounded parallel: eight at once, and none is refused for want of room', async () => {
    const { db } = database;
    for (let index = 0; index < 100; index += 1) await putContext(db);
    const waiting: (() => void)[] = [];
    // The service answers when it is full or has all that is left: a round that asked one by one would never be answered.
    let answered = 0;
    service.answerWith(async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === Math.min(8, 100 - answered)) for (const go of waiting.splice(0)) (answered += 1), go();
      });
      return { status: 202 };
    });
    expect(await round({}, { queueLength: 1 })).toMatchObject({ claimed: 100, sent: 100, failed: 0 });
    expect(service.mostOpen()).toBe(8);
  });
});

describe('a context that is not there any more', () => {
  it('deleted after the claim: nothing is sent, nothing is inconsistent, CANCELLED stays', async () => {
    const { db } = database;
    const id = await putContext(db);
    const { log, lines } = keepingLog();
    const steps = openRound({ db, client: createAiClient(service.settings()), log }, SETTINGS);
    const counts = await runRound(
      {
        ...steps,
        claim: async () => {
          const rows = await steps.claim();
          await sql`UPDATE core.context SET deleted_at = now() WHERE id = ${id}`.execute(db);
          await putState(db, { id, embedding: 'CANCELLED', summary: 'CANCELLED', retryCount: 1, ageSeconds: 0 });
          return rows;
        },
      },
      { ...SETTINGS, ...service.settings(), log, stop: new AbortController().signal, monotonicMs: () => 0 },
    );
    expect(counts).toMatchObject({ claimed: 1, sent: 0, failed: 0, inconsistent: 0, unneeded: 1 });
    expect(service.asked).toEqual([]);
    expect(await statusesOf(db, id)).toBe('CANCELLED/CANCELLED');
    expect(lines.filter((line) => line.level === 'error')).toEqual([]);
  });

  it('deleted, with its work still owed: nothing is sent, unfinished stages become CANCELLED, a finished one stays', async () => {
    const { db } = database;
    const id = await putContext(db, { embedding: 'COMPLETED', summary: 'PROCESSING', deleted: true });
    expect(await round()).toMatchObject({ claimed: 1, sent: 0, inconsistent: 1 });
    expect(await statusesOf(db, id)).toBe('COMPLETED/CANCELLED');
    expect((await stateOf(db, id)).ageSeconds).toBeLessThan(60);
    expect(await roundsUntilQuiet()).toBe(0);
  });

  it('never there at all: it is left to finalize, and ends FAILED', async () => {
    await putState(database.db, { id: -1 });
    expect(await round()).toMatchObject({ claimed: 1, sent: 0, inconsistent: 1 });
    expect(await statusesOf(database.db, -1)).toBe('PENDING/PENDING');
    await roundsUntilQuiet();
    expect(await statusesOf(database.db, -1)).toBe('FAILED/FAILED');
    expect(service.asked).toEqual([]);
  });
});

describe('two deployments on one database', () => {
  it('run rounds at the same time, and each context is asked for once', async () => {
    const { db } = database;
    for (let index = 0; index < 60; index += 1) await putContext(db);
    const rounds = await Promise.all([round({ batchSize: 40 }), round({ batchSize: 40 }), round({ batchSize: 40 })]);
    const asked = service.asked.map(({ request }) => request.contextId);
    expect(asked).toHaveLength(new Set(asked).size);
    expect(rounds.reduce((sum, { claimed }) => sum + claimed, 0)).toBe(asked.length);
    while ((await round({ batchSize: 40 })).claimed > 0);
    expect(service.asked).toHaveLength(60);
  });
});
