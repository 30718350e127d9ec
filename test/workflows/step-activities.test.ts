import { createActivities } from '../../src/activities/create-activities';
import { ActivityHeartbeats } from '../../src/activities/heartbeats';
import type { ActivityDependencies } from '../../src/activities/dependencies';
import { stateInTemporalOf } from '../../src/temporal/run-state';
import type { StepId } from '../../src/domain/steps';
import { endClosedRuns } from '../../src/runs/end-closed-runs';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { openTestRuns, type TestRuns } from '../support/episode-run';
import { quietRuntime } from '../support/rescan-loop';
import { openTestTemporal, type TestTemporal } from '../support/temporal';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type TestWorker } from '../support/test-worker';

/** Temporal's PENDING_ACTIVITY_STATE_CANCEL_REQUESTED. */
const CANCEL_REQUESTED = 3;

/** The workflow with the real activities on a real ledger; only what is bought is made up. */
describe('a run on Temporal and in the ledger together', () => {
  let temporal: TestTemporal;
  let database: TestDatabase;
  let runs: TestRuns;
  let episode: TestEpisode;
  let worker: TestWorker;
  let shutdown: { requested: boolean };
  const workers: TestWorker[] = [];
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    quietRuntime();
    [temporal, database] = await Promise.all([openTestTemporal(), createTestDatabase()]);
    runs = openTestRuns(temporal);
  });
  afterAll(async () => {
    await temporal.close();
    await database.drop();
  });
  beforeEach(async () => {
    episode = await createTestEpisode(database.db);
    await episode.endRun();
    await begin();
  });
  afterEach(async () => {
    for (const one of workers.splice(0)) one.buyer.letGo();
    for (const stop of stops.splice(0)) await stop();
  });

  const depsOf = (one: TestWorker, signal: { readonly requested: boolean }): ActivityDependencies => ({
    ...one.deps,
    heartbeats: new ActivityHeartbeats(),
    shutdown: signal,
    stateInTemporal: stateInTemporalOf(temporal.environment.client),
  });
  /** A worker process begins to poll. */
  const begin = async (): Promise<void> => {
    worker = openTestWorker(database.db, { times: { sweepSeconds: 1 } });
    workers.push(worker);
    shutdown = { requested: false };
    const stop = await runs.work(createActivities(depsOf(worker, shutdown)));
    stops.push(stop);
  };
  const start = (chosen: readonly StepId[] = ['world_guide']) =>
    runs.start({ projectId: episode.projectId, episodeId: 'e1', chosen });
  const statuses = async () => Object.fromEntries((await episode.rows()).map((row) => [row.step_id, row.status]));
  const ledger = (runId: string) =>
    database.db.selectFrom('run').selectAll().where('workflow_run_id', '=', runId).executeTakeFirstOrThrow();
  const attemptsIn = async (handle: Awaited<ReturnType<typeof start>>) => {
    const { events } = await handle.fetchHistory();
    return events!.flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? []);
  };

  it('runs all, mirrors its ids into the rows, and finds nothing to do the second time', async () => {
    const handle = await runs.start({ projectId: episode.projectId, episodeId: 'e1' });
    expect(await runs.resultOf(handle)).toMatchObject({ state: 'done' });
    const run = handle.firstExecutionRunId;
    for (const row of await episode.rows())
      expect(row).toMatchObject({
        status: 'completed',
        workflow_id: handle.workflowId,
        workflow_run_id: run,
        activity_id: row.step_id,
        activity_task_token: expect.stringMatching(/^[A-Za-z0-9+/=]{20,}$/),
      });
    expect(await ledger(run)).toMatchObject({ state: 'done', ended_at: expect.anything() });
    const again = await runs.start({ projectId: episode.projectId, episodeId: 'e1' });
    expect(await runs.resultOf(again)).toMatchObject({ state: 'done', result: {} });
    expect(worker.buyer.sold).toHaveLength(9);
  });

  it('cancelled by Temporal in the middle of a call keeps what it brings, and ends run, row and workflow as cancelled', async () => {
    const inHand = worker.buyer.hold('all');
    const handle = await start(['world_guide', 'shot_selection']);
    const call = await inHand;
    await handle.cancel();
    await eventually('the ledger is told', async () => (await episode.row('world_guide')).cancel_requested_at !== null);
    call.answer();
    await expect(handle.result()).rejects.toThrow();
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(worker.buyer.soldOf('world_guide')).toEqual(['all']);
    expect(await episode.kept('world_guide')).toEqual(['all']);
    expect(await statuses()).toEqual({ world_guide: 'completed' }); // its last item had arrived: it ends as it would have
    expect(worker.buyer.soldOf('shot_selection')).toEqual([]);
    expect(await ledger(handle.firstExecutionRunId)).toMatchObject({ state: 'cancelled' });
  });

  it('is not retried for a failure that does not pass, and shows its code as the type', async () => {
    worker.buyer.set('all', () => Promise.reject(new TypeError('a bug')));
    const handle = await start();
    expect(await runs.resultOf(handle)).toMatchObject({ state: 'failed', result: { world_guide: 'failed' } });
    expect(new Set(await attemptsIn(handle))).toEqual(new Set([1]));
    expect(await episode.row('world_guide')).toMatchObject({
      status: 'failed',
      error_message: 'internal.unexpected: a bug',
    });
  });

  it('hands the step back when its worker shuts down, and another worker goes on with the next attempt', async () => {
    worker.buyer.set('all', async (context) => {
      shutdown.requested = true;
      return { outcome: 'stopped', stop: (await context.safePoint())! };
    });
    const handle = await start();
    await eventually('the row is handed back', async () => (await episode.rows())[0]?.status === 'pending');
    expect(await episode.row('world_guide')).toMatchObject({ last_recovery_reason: 'handed back: shutdown' });
    const [stop] = stops.splice(0);
    await Promise.all([stop!(), begin()]);
    expect(await runs.resultOf(handle)).toMatchObject({ state: 'done' });
    expect(worker.buyer.soldOf('world_guide')).toEqual(['all']);
  });

  it('waits for a row that another attempt of its own still holds, and takes over when that one is dead', async () => {
    const inHand = worker.buyer.hold('all');
    const handle = await start();
    const call = await inHand;
    await episode.patch('world_guide', { owner_boot_id: 'another process', owner_host: 'elsewhere' });
    call.answer(); // the first attempt finds its ownership lost, and the next one a living holder
    await eventually('the next attempts find it alive', async () => {
      const { raw } = await handle.describe();
      return (raw.pendingActivities ?? []).some(
        (activity) => activity.lastFailure?.applicationFailureInfo?.type === 'step.already_running',
      );
    });
    expect(await episode.row('world_guide')).toMatchObject({ status: 'running', owner_boot_id: 'another process' });
    await episode.patch('world_guide', { heartbeat_at: '2026-03-25T04:12:11Z' });
    expect(await runs.resultOf(handle)).toMatchObject({ state: 'done' });
    expect(await episode.row('world_guide')).toMatchObject({ status: 'completed' });
  });

  it.each([
    [
      'still runs under a dead owner',
      { owner_boot_id: 'o', owner_host: 'elsewhere', heartbeat_at: '2026-03-25T04:12:11Z' },
    ],
    ['a sweep has failed', { status: 'failed', completed_at: null }],
    ['was handed back', { status: 'pending' }],
  ] as const)(
    'cancelled before its attempt is lost, ends as cancelled with its row, which %s',
    async (_how, change) => {
      const inHand = worker.buyer.hold('all');
      const handle = await start();
      const call = await inHand;
      await handle.signal('cancel', {});
      await eventually('the attempt is asked to stop', async () => {
        const { raw } = await handle.describe();
        return raw.pendingActivities?.some((activity) => Number(activity.state) === CANCEL_REQUESTED);
      });
      await episode.patch('world_guide', change);
      call.answer();
      expect(await runs.resultOf(handle)).toMatchObject({ state: 'cancelled', result: { world_guide: 'cancelled' } });
      expect(await episode.row('world_guide')).toMatchObject({ status: 'cancelled' });
      expect(await ledger(handle.firstExecutionRunId)).toMatchObject({ state: 'cancelled' });
    },
  );

  it.each([
    ['its first workflow task', 0],
    ['before the decision', 1],
    ['its last workflow task', -1],
  ])('that was reset to %s goes on as the same run of the ledger, which no sweep ends under it', async (_to, at) => {
    const inHand = worker.buyer.hold('all');
    const handle = await start(['world_guide', 'shot_selection']);
    const call = await inHand;
    const { events } = await handle.fetchHistory();
    const opened = events!.filter((event) => event.workflowTaskCompletedEventAttributes).at(at)!;
    const { client } = temporal.environment;
    const reset = await client.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: handle.workflowId, runId: handle.firstExecutionRunId },
      reason: 'test',
      requestId: episode.projectId,
      workflowTaskFinishEventId: opened.eventId!,
    });
    expect(reset.runId).not.toBe(handle.firstExecutionRunId);
    const ended = await endClosedRuns(depsOf(worker, shutdown));
    expect(ended).toBe(0);
    call.answer();
    const after = client.workflow.getHandle(handle.workflowId, reset.runId);
    expect(await after.result()).toMatchObject({
      state: 'done',
      result: { world_guide: 'completed', shot_selection: 'completed' },
    });
    expect((await episode.row('shot_selection')).workflow_run_id).toBe(handle.firstExecutionRunId);
  });

  it('that was terminated is ended in the ledger by a sweep, and its attempt stops without a word to the row of the next run', async () => {
    const inHand = worker.buyer.hold('all');
    const handle = await start(['world_guide', 'shot_selection']);
    const call = await inHand;
    await handle.terminate('test');
    expect(await endClosedRuns(depsOf(worker, shutdown))).toBe(1);
    call.answer();
    await eventually('the attempt is over', () => worker.registry.all().length === 0);
    expect(worker.buyer.soldOf('shot_selection')).toEqual([]);
    expect(await ledger(handle.firstExecutionRunId)).toMatchObject({ state: 'failed' });
  });
});
