import { ApplicationFailure, Context } from '@temporalio/activity';
import { CancelledFailure, WorkflowFailedError } from '@temporalio/client';
import { STEP_IDS, STEP_NEEDS, downstreamOf } from '../../src/domain/steps';
import { eventually } from '../support/eventually';
import { StubActivities, type TestRuns } from '../support/episode-run';
import { openStubbedRuns } from '../support/stubbed-runs';

describe('the workflow of a run', () => {
  let runs: TestRuns;
  let stub: StubActivities;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ runs, close } = await openStubbedRuns(() => stub));
  });
  afterAll(() => close());
  beforeEach(() => {
    stub = new StubActivities();
  });

  const failing = (code: string, nonRetryable: boolean, nextRetryDelay?: string) =>
    ApplicationFailure.create({
      type: code,
      message: code,
      nonRetryable,
      ...(nextRetryDelay === undefined ? {} : { nextRetryDelay: nextRetryDelay as '60s' }),
    });
  /** Waits for Temporal's cancel, as a step at its next safe point, then ends as the ledger says. */
  const untilCancelled = async () => {
    const context = Context.current();
    await eventually('the activity is told of the cancel', () => {
      context.heartbeat();
      return context.cancellationSignal.aborted;
    });
  };
  const begun = (name: string) => stub.begun.indexOf(name);

  it('gives each step its turn when what it needs is done, announced first, and closes the run once', async () => {
    const handle = await runs.start();
    expect(await runs.resultOf(handle)).toEqual({
      state: 'done',
      code: null,
      reason: null,
      result: Object.fromEntries(STEP_IDS.map((step) => [step, 'completed'])),
    });
    for (const step of STEP_IDS) {
      expect(begun(`announceStep ${step}`)).toBeLessThan(begun(`runStep ${step}`));
      for (const need of STEP_NEEDS[step]) expect(begun(`runStep ${need}`)).toBeLessThan(begun(`announceStep ${step}`));
    }
    expect(stub.closes).toHaveLength(1);
    const history = await handle.fetchHistory();
    expect(JSON.stringify(history).length).toBeLessThan(200_000);
  });

  it('runs steps that need nothing of each other side by side', async () => {
    const [first, second] = [stub.hold('runStep shot_selection'), stub.hold('runStep entity_t2i')];
    const handle = await runs.start();
    await Promise.all([first.arrived, second.arrived]);
    expect((await runs.progressOf(handle)).steps).toEqual({
      world_guide: 'completed',
      shot_selection: 'running',
      entity_t2i: 'running',
      ...Object.fromEntries(STEP_IDS.slice(3).map((step) => [step, 'waiting'])),
    });
    first.letGo();
    second.letGo();
    expect(await runs.resultOf(handle)).toMatchObject({ state: 'done' });
  });

  it.each(['block', 'partial', 'failed'] as const)(
    'holds back only what needs a step that ends as %s; its siblings go on',
    async (end) => {
      stub.announcing = async ({ stepId }) =>
        stepId === 'entity_t2i' && end === 'block' ? { action: 'block', code: 'step.resume_blocked' } : {};
      stub.running = async ({ stepId }) => (stepId === 'entity_t2i' && end !== 'block' ? { status: end } : {});
      const { result } = await runs.resultOf(await runs.start());
      expect(result).toEqual({
        world_guide: 'completed',
        shot_selection: 'completed',
        entity_t2i: end === 'block' ? 'blocked' : end,
      });
      expect(stub.begun.filter((name) => /scene_detail|t2i_review/.test(name))).toEqual([]);
    },
  );

  it.each([
    ['skip', 'completed'],
    ['not_applicable', 'not_applicable'],
  ] as const)(
    'takes an announced %s as final: the step is not tried, and what needs it goes on',
    async (action, end) => {
      stub.announcing = async ({ stepId }) => (stepId === 'world_guide' ? { action } : {});
      const { result } = await runs.resultOf(await runs.start());
      expect(result).toMatchObject({ world_guide: end, scene_image_pipeline: 'completed' });
      expect(stub.begun).not.toContain('runStep world_guide');
    },
  );

  it('of some steps runs these alone', async () => {
    const { result } = await runs.resultOf(await runs.start({ chosen: ['scene_detail', 'entity_t2i'] }));
    expect(result).toEqual({ entity_t2i: 'completed', scene_detail: 'completed' });
    expect(begun('runStep entity_t2i')).toBeLessThan(begun('runStep scene_detail'));
  });

  it('hands the editor step to a second activity with the token of the first, under ids that name step and part', async () => {
    const handle = await runs.start({ chosen: ['t2i_review'] });
    await runs.resultOf(handle);
    expect(stub.attempts.map((attempt) => attempt.adoptToken)).toEqual([null, 'the token']);
    const { events } = await handle.fetchHistory();
    const ids = events!.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityId ?? []);
    expect(ids.slice(0, 4)).toEqual(['open', 't2i_review.decide', 't2i_review', 't2i_review.refresh']);
  });

  it('tries a step again without limit while it fails retryably, and gives it up at once where it does not', async () => {
    let tries = 0;
    stub.running = async ({ stepId }) => {
      if (stepId === 'world_guide' && (tries += 1) < 4) throw failing('step.handed_back', false);
      if (stepId === 'entity_t2i') throw failing('internal.unexpected', true);
      return {};
    };
    const { result } = await runs.resultOf(await runs.start());
    expect([tries, result]).toEqual([
      4,
      { world_guide: 'completed', shot_selection: 'completed', entity_t2i: 'failed' },
    ]);
    expect(stub.begun.filter((name) => name === 'runStep entity_t2i')).toHaveLength(1);
  });

  it('waits with closing while a row of its own is still held', async () => {
    let asked = 0;
    stub.closing = async () => ({ waiting: (asked += 1) < 3, state: 'failed' });
    expect(await runs.resultOf(await runs.start())).toMatchObject({ state: 'failed' });
    expect(asked).toBe(3);
  });

  describe('cancelled by the signal', () => {
    it('before anything began ends without running a step, and tells the ledger', async () => {
      const opening = stub.hold('openRun');
      const handle = await runs.start();
      await opening.arrived;
      await handle.signal('cancel', { by: 'director' });
      await runs.until(handle, 'the cancel has arrived', (progress) => progress.cancelling);
      opening.letGo();
      await runs.resultOf(handle);
      expect(stub.begun.filter((name) => name.startsWith('runStep'))).toEqual([]);
      expect(stub.cancels).toMatchObject([{ steps: null, by: 'director' }]);
      expect(stub.closes).toMatchObject([{ results: { world_guide: 'cancelled' } }]);
    });

    it('in the middle of a step tells the ledger first, then the step, and takes its word for how it ended', async () => {
      stub.running = async ({ stepId }) => {
        if (stepId !== 'world_guide') return {};
        await untilCancelled();
        stub.begun.push('the step has heard');
        return { status: 'partial', reason: 'it had ended' };
      };
      const working = stub.hold('runStep world_guide');
      const handle = await runs.start();
      await working.arrived;
      working.letGo();
      await handle.signal('cancel', {});
      expect((await runs.resultOf(handle)).result).toEqual({ world_guide: 'partial' });
      expect(begun('recordCancel')).toBeLessThan(begun('the step has heard'));
    });

    it.each([
      ['without an argument', []],
      ['with null', [null]],
    ])('sent by hand %s covers everything', async (_what, args) => {
      const opening = stub.hold('openRun');
      const handle = await runs.start();
      await opening.arrived;
      await handle.signal('cancel', ...args);
      await runs.until(handle, 'the cancel has arrived', (progress) => progress.cancelling);
      opening.letGo();
      expect(await runs.resultOf(handle)).toMatchObject({ result: { world_guide: 'cancelled' } });
      expect(stub.cancels).toMatchObject([{ steps: null, by: 'signal' }]);
    });

    it('in a back-off of a minute ends that step at once', async () => {
      stub.running = async () => {
        throw failing('step.already_running', false, '60s');
      };
      const handle = await runs.start();
      await eventually('the step has failed once', () => stub.attempts.length > 0);
      await eventually('the attempt is over', async () => {
        const { raw } = await handle.describe();
        return (raw.pendingActivities ?? []).some(
          (activity) => activity.activityId === 'world_guide' && activity.lastFailure,
        );
      });
      await handle.signal('cancel', {});
      expect((await runs.resultOf(handle)).result).toEqual({ world_guide: 'cancelled' });
      expect(stub.attempts).toHaveLength(1);
    });

    it('ends as cancelled a step whose attempt then fails in a way that would be tried again', async () => {
      stub.running = async () => {
        await untilCancelled();
        throw failing('step.ownership_lost', false);
      };
      const working = stub.hold('runStep world_guide');
      const handle = await runs.start();
      await working.arrived;
      working.letGo();
      await handle.signal('cancel', {});
      expect((await runs.resultOf(handle)).result).toEqual({ world_guide: 'cancelled' });
      expect(stub.attempts).toHaveLength(1);
      expect(stub.closes).toMatchObject([{ results: { world_guide: 'cancelled' } }]);
    });

    it('leaves a step failed that fails for good after the cancel', async () => {
      stub.running = async () => {
        await untilCancelled();
        throw failing('internal.unexpected', true);
      };
      const working = stub.hold('runStep world_guide');
      const handle = await runs.start();
      await working.arrived;
      working.letGo();
      await handle.signal('cancel', {});
      expect((await runs.resultOf(handle)).result).toEqual({ world_guide: 'failed' });
    });

    it('of one step covers it and what needs it; its siblings end as they would have', async () => {
      const [selection, entities] = [stub.hold('runStep shot_selection'), stub.hold('runStep entity_t2i')];
      const handle = await runs.start();
      await Promise.all([selection.arrived, entities.arrived]);
      await handle.signal('cancel', { step: 'scene_detail', by: 'director' });
      await eventually('the ledger is told', () => stub.cancels.length > 0);
      selection.letGo();
      entities.letGo();
      expect((await runs.resultOf(handle)).result).toEqual({
        world_guide: 'completed',
        shot_selection: 'completed',
        entity_t2i: 'completed',
        scene_detail: 'cancelled',
      });
      expect(stub.cancels).toMatchObject([{ steps: ['scene_detail', ...downstreamOf('scene_detail')] }]);
    });

    it('for a step that does not exist changes nothing', async () => {
      const working = stub.hold('runStep world_guide');
      const handle = await runs.start({ chosen: ['world_guide'] });
      await working.arrived;
      await handle.signal('cancel', { step: 'no_such_step' });
      working.letGo();
      expect(await runs.resultOf(handle)).toMatchObject({ result: { world_guide: 'completed' } });
      expect(stub.cancels).toEqual([]);
    });

    it('between review and refresh does not apply the review', async () => {
      const refresh = stub.hold('refreshStep t2i_review');
      stub.refreshing = async () => ({ status: 'cancelled' });
      const handle = await runs.start({ chosen: ['t2i_review', 'floor_plan_render'] });
      await refresh.arrived;
      await handle.signal('cancel', {});
      await eventually('the ledger is told', () => stub.cancels.length > 0);
      refresh.letGo();
      expect((await runs.resultOf(handle)).result).toEqual({ t2i_review: 'cancelled' });
    });
  });

  it('cancelled by Temporal closes as Canceled, after the step in hand has ended and the ledger is closed', async () => {
    stub.running = async () => {
      await untilCancelled();
      return { status: 'cancelled', reason: 'kept what was bought' };
    };
    const working = stub.hold('runStep world_guide');
    const handle = await runs.start();
    await working.arrived;
    working.letGo();
    await handle.cancel();
    const error: unknown = await handle.result().catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(stub.cancels).toMatchObject([{ steps: null, by: 'temporal' }]);
    expect(stub.closes).toMatchObject([{ results: { world_guide: 'cancelled' } }]);
  });

  it("tells its state in Temporal's search attributes", async () => {
    const handle = await runs.start({ chosen: ['world_guide'] });
    stub.closing = async () => ({ waiting: false, state: 'partial' });
    await runs.resultOf(handle);
    expect((await handle.describe()).searchAttributes).toMatchObject({ CallsheetState: ['partial'] });
  });
});
