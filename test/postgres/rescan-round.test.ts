import { sql } from 'kysely';
import { createAiClient } from '../../src/contexts/ai-client';
import { contentHash } from '../../src/contexts/content-hash';
import { openRound } from '../../src/rescan/open-round';
import { runRound } from '../../src/rescan/round';
import { eventually } from '../support/eventually';
import { SETTINGS, keepingLog, letTimePass, putContext, putState, stateOf, statusesOf } from '../support/rescan';
import { openRoundBench, type RoundBench } from '../support/round-bench';

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

describe('what is asked', () => {
  it('is the whole context as it is now, with the unfinished stages only, its hash and the secret', async () => {
    const { db } = database;
    const id = await putContext(db, {
      projectId: 'harbour',
      title: 'Fog',
      body: 'It rolls in at five.',
      embedding: 'COMPLETED',
      summary: 'PROCESSING',
    });
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
    expect(await stateOf(database.db, id)).toMatchObject({
      embedding: 'PENDING',
      summary: 'PENDING',
      retryCount: 1,
      lastFailure: null,
    });
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
      SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`.execute(
      database.db,
    );
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
        if (waiting.length < Math.min(8, 100 - answered)) return;
        answered += waiting.length;
        for (const go of waiting.splice(0)) go();
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
