import { AppError } from '../../src/domain/errors';
import type { Stop } from '../../src/domain/stop';
import type { StepId } from '../../src/domain/steps';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { createToy, type Toy } from '../support/toy-pipeline';
import { openTestWorker, runUpTo, type TestWorker } from '../support/test-worker';

const STEP: StepId = 'shot_selection';
const REFUSED = { outcome: 'item_failed', code: 'provider.refused', message: 'no \u0000 words' } as const;

describe('executing and finalizing', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let toy: Toy;
  let stop: Stop | null;

  /** The two other items are done: what ends the step now keeps none of them from leaving. */
  const othersKept = async (): Promise<void> => {
    await eventually('the others are kept', async () => (await episode.kept(STEP)).length === 2);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    toy = createToy();
    toy.items[STEP] = ['a', 'b', 'c'];
    stop = null;
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db, { toy });
    await runUpTo(worker, episode, STEP);
  });

  const attempt = () => worker.attempt(episode, STEP, { stop: () => stop });
  const contents = async () => ({
    row: await episode.row(STEP),
    versions: await episode.versions(STEP),
    kept: await episode.kept(STEP),
  });

  interface Ending {
    readonly what: string;
    /** `last`: what happens at the very end, before the write that ends the row. */
    prepare(last: () => Promise<void>): void;
    readonly outcome: object;
    readonly row: object;
    /** Versions of the checkpoint that are saved. */
    readonly versions: readonly number[];
    readonly kept: readonly string[];
  }

  // prettier-ignore
  const ENDINGS: readonly Ending[] = [
    {
      what: 'success',
      prepare: (last) => {
        toy.verify[STEP] = async () => (await last(), { isComplete: true, missing: [], severity: 'clean', metadata: { evidence: [] }, origin: 'clean' });
      },
      outcome: { outcome: 'ended', status: 'completed', code: null },
      row: { status: 'completed', completed_count: 3, failed_count: 0, applicable_count: 3, error_message: null, recovery_count: 0 },
      versions: [1],
      kept: ['a', 'b', 'c'],
    },
    {
      what: 'a partial result',
      prepare: (last) => {
        worker.buyer.set('b', async () => (await last(), REFUSED));
      },
      outcome: { outcome: 'ended', status: 'partial', code: 'provider.refused' },
      row: { status: 'partial', completed_count: 2, failed_count: 1, error_message: expect.stringContaining('b: provider.refused: no \uFFFD words') },
      versions: [1],
      kept: ['a', 'b', 'c'],
    },
    {
      what: 'a failure of every item',
      prepare: (last) => {
        for (const item of ['a', 'c']) worker.buyer.set(item, REFUSED);
        worker.buyer.set('b', async () => (await last(), REFUSED));
      },
      outcome: { outcome: 'ended', status: 'failed', code: 'provider.refused' },
      row: { status: 'failed', completed_count: 0, failed_count: 3 },
      versions: [1],
      kept: ['a', 'b', 'c'],
    },
    {
      what: 'an exception',
      prepare: (last) => {
        worker.buyer.set('b', async () => {
          await last();
          throw new TypeError('a bug \u0000 in the step');
        });
      },
      outcome: { outcome: 'ended', status: 'failed', code: 'internal.unexpected' },
      row: { status: 'failed', error_message: 'internal.unexpected: a bug \uFFFD in the step' },
      versions: [],
      kept: ['a', 'c'],
    },
    {
      what: 'a verifier that crashes at the exit',
      prepare: (last) => {
        toy.verify[STEP] = async () => {
          await last();
          throw new TypeError('a bug in the verifier');
        };
      },
      outcome: { outcome: 'ended', status: 'failed', code: 'step.verify_crashed' },
      row: { status: 'failed', error_message: expect.stringMatching(/^step\.verify_crashed: a bug in the verifier \(origin=verify_crashed\)$/) },
      versions: [],
      kept: ['a', 'b', 'c'],
    },
    {
      what: 'an incomplete result by the exit verifier',
      prepare: (last) => {
        toy.verify[STEP] = async () => (
          await last(), { isComplete: false, missing: ['b is not right'], severity: 'partial', metadata: { evidence: [] }, origin: 'invariant_drift' }
        );
      },
      outcome: { outcome: 'ended', status: 'partial', code: null },
      row: { status: 'partial', error_message: 'Verify: b is not right (origin=invariant_drift)' },
      versions: [1],
      kept: ['a', 'b', 'c'],
    },
    {
      what: 'a cancel with work left',
      prepare: (last) => {
        worker.buyer.set('b', async () => (await last(), { outcome: 'stopped', stop: { why: 'cancelled' } }));
      },
      outcome: { outcome: 'ended', status: 'cancelled', code: null },
      row: { status: 'cancelled', completed_count: 2, error_message: expect.stringContaining('2 of 3 items are done') },
      versions: [1],
      kept: ['a', 'c'],
    },
    {
      what: 'a hand-back',
      prepare: (last) => {
        worker.buyer.set('b', async () => (await last(), { outcome: 'stopped', stop: { why: 'handed_back', cause: 'shutdown' } }));
      },
      outcome: { outcome: 'retry', code: 'step.handed_back' },
      row: { status: 'pending', last_recovery_reason: 'handed back: shutdown', completed_at: null },
      versions: [1],
      kept: ['a', 'c'],
    },
    {
      what: 'an exhausted budget',
      prepare: (last) => {
        worker.buyer.set('b', async () => (await last(), { outcome: 'budget', message: 'The cap is reached.', capUsd: 1, committedUsd: 1, estimateUsd: 1 }));
      },
      outcome: { outcome: 'ended', status: 'partial', code: 'budget.exhausted' },
      row: { status: 'partial', error_message: expect.stringContaining('budget.exhausted: The cap is reached.') },
      versions: [1],
      kept: ['a', 'c'],
    },
    {
      what: 'trouble that passes by itself',
      prepare: (last) => {
        worker.buyer.set('b', async () => {
          await last();
          throw new AppError('db.unavailable', 'the database was away for minutes');
        });
      },
      outcome: { outcome: 'retry', code: 'step.handed_back' },
      row: { status: 'pending', last_recovery_reason: 'handed back: db.unavailable' },
      versions: [],
      kept: ['a', 'c'],
    },
  ];

  describe.each(ENDINGS)('$what', ({ prepare, outcome, row, versions, kept }) => {
    it('writes status, counts and checkpoint as they belong together', async () => {
      prepare(() => (kept.length === 2 ? othersKept() : Promise.resolve()));
      expect(await attempt()).toMatchObject(outcome);
      const after = await contents();
      expect(after.row).toMatchObject(row);
      expect(after).toMatchObject({ versions, kept });
      expect(worker.registry.all()).toEqual([]);
    });

    it('writes neither once the row is stolen under it, and leaves the thief as it is', async () => {
      let before: unknown;
      prepare(async () => {
        await episode.patch(STEP, { run_id: 'thief', owner_boot_id: 'thief', error_message: 'of the thief' });
        before = await contents();
      });
      expect(await attempt()).toMatchObject({ outcome: 'retry', code: 'step.ownership_lost' });
      expect(await contents()).toEqual(before);
      expect(worker.registry.all()).toEqual([]);
    });

    it('writes neither once the row was released under it: the fence asks for running, too', async () => {
      let before: unknown;
      prepare(async () => {
        await episode.patch(STEP, { status: 'failed', error_message: 'released' });
        before = await contents();
      });
      expect(await attempt()).toMatchObject({ outcome: 'retry', code: 'step.ownership_lost' });
      expect(await contents()).toEqual(before);
    });
  });

  it('keeps the results that were settled, and asks only for the others in the next run', async () => {
    worker.buyer.set('b', REFUSED);
    await attempt();
    worker.buyer.unset('b');
    const next = await episode.openRun();
    expect(await worker.attempt(episode, STEP, { workflowRunId: next })).toMatchObject({ status: 'completed' });
    const sold = worker.buyer.soldOf(STEP); // the first two were asked side by side
    expect([sold.slice(0, 2).sort(), sold.slice(2)]).toEqual([['a', 'c'], ['b']]);
  });

  it('does not begin another call after a cancel, and keeps the one in flight', async () => {
    toy.items[STEP] = Array.from({ length: 20 }, (_none, at) => `i${at}`);
    const inFlight = Array.from({ length: 8 }, (_none, at) => worker.buyer.hold(`i${at}`)); // as many as leave together
    const running = attempt();
    const calls = await Promise.all(inFlight);
    await episode.cancel('*');
    for (const call of calls) call.answer();
    expect(await running).toMatchObject({ status: 'cancelled' });
    expect(await episode.kept(STEP)).toEqual(['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7']);
    expect(worker.buyer.soldOf(STEP)).toHaveLength(8);
  });

  it('ends as it would have when the cancel comes after the last item', async () => {
    worker.buyer.set('c', async (context, call) => {
      await othersKept();
      await episode.cancel('*');
      return worker.buyer.sell(context, call);
    });
    expect(await attempt()).toMatchObject({ status: 'completed' });
  });

  it('counts a mark that another tool sets on the running row as a cancel', async () => {
    toy.items[STEP] = Array.from({ length: 9 }, (_none, at) => `i${at}`);
    worker.buyer.set('i0', async (context, call) => {
      await episode.patch(STEP, { cancel_requested_at: 'by another tool' });
      return worker.buyer.sell(context, call);
    });
    for (let at = 1; at < 8; at += 1) worker.buyer.set(`i${at}`, { outcome: 'stopped', stop: { why: 'cancelled' } });
    expect(await attempt()).toMatchObject({ status: 'cancelled' });
  });

  it('hands the step back at a safe point on shutdown, and the next attempt goes on', async () => {
    worker.buyer.set('b', async (context, call) => {
      stop = { why: 'handed_back', cause: 'shutdown' };
      return (await context.safePoint()) ? { outcome: 'stopped', stop } : worker.buyer.sell(context, call);
    });
    expect(await attempt()).toMatchObject({ outcome: 'retry', code: 'step.handed_back' });
    stop = null;
    worker.buyer.unset('b');
    expect(await openTestWorker(database.db, { toy }).attempt(episode, STEP, { attempt: 2 })).toMatchObject({
      status: 'completed',
    });
  });

  it('reports what an earlier attempt of the same activity ended, and runs nothing', async () => {
    await attempt();
    const other = openTestWorker(database.db, { toy });
    expect(await other.attempt(episode, STEP, { attempt: 2 })).toMatchObject({
      outcome: 'ended',
      status: 'completed',
      ran: true,
    });
    expect(other.buyer.sold).toEqual([]);
  });

  it('does not wait for the operator of a call in doubt: the others go on, the step ends partial', async () => {
    worker.buyer.set('a', { outcome: 'in_doubt', purchaseId: 'p1', message: 'It may have been paid.' });
    expect(await attempt()).toMatchObject({ status: 'partial', code: 'purchase.in_doubt' });
    expect(await episode.kept(STEP)).toEqual(['b', 'c']);
  });

  it('resets recovery counters only when completed', async () => {
    worker.buyer.set('b', REFUSED);
    await episode.insert(STEP, {
      status: 'failed',
      recovery_count: 3,
      last_recovery_reason: 'sweep',
      barren_takeovers: 2,
    });
    await attempt();
    expect(await episode.row(STEP)).toMatchObject({
      status: 'partial',
      recovery_count: 3,
      last_recovery_reason: 'sweep',
    });
    worker.buyer.unset('b');
    await worker.attempt(episode, STEP, { workflowRunId: await episode.openRun() });
    expect(await episode.row(STEP)).toMatchObject({
      status: 'completed',
      recovery_count: 0,
      last_recovery_reason: null,
      barren_takeovers: 0,
    });
  });
});
