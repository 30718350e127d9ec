import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { acts } from '../support/ownership/acts';
import { MemoryLedger } from '../support/ownership/memory-ledger';
import { PostgresLedger } from '../support/ownership/postgres-ledger';
import { Stage } from '../support/ownership/stage';

/** Spec 10 through the real functions, beside the model of it (test/support/ownership). */
const LIMIT_MS = 120_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test(
  'whatever four owners do, PostgreSQL answers as the model does, one at most may write, and in the end the step is free',
  async () => {
    await fc.assert(
      fc.asyncProperty(acts(30), async (script) => {
        const ledger = await PostgresLedger.open(database);
        try {
          const [real, model] = [new Stage(ledger), new Stage(new MemoryLedger())];
          for (const act of script) {
            expect({ act, came: await real.play(act) }).toEqual({ act, came: await model.play(act) });
            expect(await real.row()).toBe(await model.row());
          }
          await real.expectFreeInTheEnd();
        } finally {
          await ledger.close();
        }
      }),
      { numRuns: 40 },
    );
  },
  LIMIT_MS,
);

const racers = fc.array(fc.constantFrom('claim' as const, 'beat' as const, 'end' as const, 'reclaim' as const), {
  minLength: 3,
  maxLength: 8,
});

test(
  'whatever runs at the same moment on a lock whose lease is over, one of them wins, and one at most may write afterwards',
  async () => {
    await fc.assert(
      fc.asyncProperty(racers, async (acts) => {
        const ledger = await PostgresLedger.open(database);
        try {
          const [owner, ...others] = ['owner', ...acts.map((_, at) => `racer-${at}`)].map((bootId, at) => ({
            host: `h-${at}`,
            pid: 1,
            bootId,
            hostId: null,
          }));
          await ledger.claim({ owner: owner!, runId: 'first', workflowRunId: 'w', expected: null, isSteal: false });
          const { row } = await ledger.read();
          const outcomes = await Promise.all(
            acts.map(async (act, at) => {
              const racer = others[at]!;
              switch (act) {
                case 'claim':
                  return {
                    act,
                    at,
                    won: await ledger.claim({
                      owner: racer,
                      runId: `run-${at}`,
                      workflowRunId: 'w',
                      expected: row,
                      isSteal: true,
                    }),
                  };
                case 'reclaim':
                  return { act, at, won: await ledger.reclaim(row!) };
                case 'beat':
                  return { act, at, won: await ledger.beat(owner!, 'first') };
                case 'end':
                  return { act, at, won: await ledger.end(owner!, 'first', 'completed') };
              }
            }),
          );
          const took = outcomes.filter(({ act, won }) => won && act !== 'beat');
          expect(took.length).toBeLessThanOrEqual(1);
          const writers = await Promise.all([
            ledger.mayWrite(owner!, 'first'),
            ...others.map((racer, at) => ledger.mayWrite(racer, `run-${at}`)),
          ]);
          const holds = took.length === 0 ? 0 : took[0]!.act === 'claim' ? took[0]!.at + 1 : null;
          expect(writers.flatMap((may, at) => (may ? [at] : []))).toEqual(holds === null ? [] : [holds]);
        } finally {
          await ledger.close();
        }
      }),
      { numRuns: 60 },
    );
  },
  LIMIT_MS,
);
