import type { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../src/activities/create-activities';
import { ActivityHeartbeats } from '../../src/activities/heartbeats';
import { openDatabase, type OpenDatabase } from '../../src/db/pool';
import type { EpisodeActivities, RunInput } from '../../src/workflows/contract';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { inputOf } from '../support/episode-run';
import { proxyDatabase, type TcpProxy } from '../support/tcp-proxy';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type TestWorker } from '../support/test-worker';

describe('an outage in an activity', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let proxied: OpenDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let activities: EpisodeActivities;
  let stateInTemporal: () => Promise<null>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const link = await proxyDatabase(database.url);
    proxy = link.proxy;
    proxied = openDatabase(link.url, 4, () => undefined);
  });
  afterAll(async () => {
    await proxied.close();
    await proxy.close();
    await database.drop();
  });
  beforeEach(async () => {
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(proxied.db);
    stateInTemporal = () => Promise.resolve(null);
    activities = createActivities({
      ...worker.deps,
      heartbeats: new ActivityHeartbeats(),
      shutdown: { requested: false },
      stateInTemporal: () => stateInTemporal(),
    });
  });
  afterEach(() => proxy.mend());

  const input = (): RunInput => inputOf({ projectId: episode.projectId, episodeId: 'e1' });
  const turn = () => ({
    run: input(),
    ledgerRunId: episode.runId,
    firstRunId: episode.runId,
    stepId: 'world_guide' as const,
  });
  const attempt = () => ({ ...turn(), announcedDeadRunId: null, adoptToken: 'a token' });
  const perform = <T>(work: () => Promise<T>, runId = episode.runId): Promise<T> =>
    new MockActivityEnvironment({
      activityId: 'world_guide',
      workflowExecution: { workflowId: episode.workflowId, runId },
    }).run(work);
  const failureOf = (work: () => Promise<unknown>, runId?: string) =>
    perform(work, runId).then(
      () => null,
      (error: unknown) => error as ApplicationFailure,
    );
  const work: Readonly<Record<keyof EpisodeActivities, () => Promise<unknown>>> = {
    openRun: () => activities.openRun(input(), episode.runId),
    announceStep: () => activities.announceStep(turn()),
    runStep: () => activities.runStep(attempt()),
    refreshStep: () => activities.refreshStep(attempt()),
    recordCancel: () =>
      activities.recordCancel({
        ledgerRunId: episode.runId,
        projectId: episode.projectId,
        episodeId: 'e1',
        steps: null,
        by: 'test',
      }),
    closeRun: () => activities.closeRun({ run: input(), ledgerRunId: episode.runId, results: {} }),
  };

  it.each(Object.keys(work) as (keyof EpisodeActivities)[])(
    'while %s looks at the ledger is tried again, and ends nothing for good',
    async (name) => {
      proxy.cut();
      expect(await failureOf(work[name])).toMatchObject({ type: 'db.unavailable', nonRetryable: false });
    },
  );

  it('while a step is decided is over for the next attempt, which runs the step', async () => {
    proxy.cut();
    await failureOf(work.runStep);
    proxy.mend();
    expect(await perform(work.runStep)).toMatchObject({ status: 'completed' });
    expect(worker.buyer.soldOf('world_guide')).toEqual(['all']);
  });

  it('of Temporal, asked by a start for the run that it meets, is tried again, and neither ends nor refuses a run', async () => {
    stateInTemporal = () => Promise.reject(Object.assign(new Error('14 UNAVAILABLE: no connection'), { code: 14 }));
    expect(await failureOf(work.openRun, 'another run')).toMatchObject({
      type: 'temporal.unavailable',
      nonRetryable: false,
    });
    const run = await database.db.selectFrom('run').selectAll().where('project_id', '=', episode.projectId).execute();
    expect(run).toEqual([expect.objectContaining({ workflow_run_id: episode.runId, ended_at: null })]);
  });
});
