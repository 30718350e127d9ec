import { EpisodeClient } from '../../src/client';
import { STEP_IDS } from '../../src/domain/steps';
import { cancel } from '../../src/operations/cancel';
import { startRun } from '../../src/operations/start-run';
import { runById } from '../../src/runs/open-runs';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { FREE_PROVIDER } from '../support/free-provider';
import { openStage, quietRuntime, type Stage } from '../support/stage';
import { openTestTemporal, type TestTemporal } from '../support/temporal';
import { createTestEpisode } from '../support/test-episode';
import { openTestWorker } from '../support/test-worker';

/** A run that no worker has taken stands in Temporal only: its first activity would write its row (cases C40). */
let database: TestDatabase;
let temporal: TestTemporal;
let stage: Stage | undefined;
beforeAll(async () => {
  quietRuntime();
  [database, temporal] = await Promise.all([createTestDatabase(), openTestTemporal()]);
});
afterAll(async () => {
  await stage?.close();
  await temporal.close();
  await database.drop();
});

it('a queued run that is cancelled buys nothing when a worker comes, and ends cancelled', async () => {
  const worker = openTestWorker(database.db);
  const core = { ...worker.deps, role: 'test', temporalUi: undefined, ...FREE_PROVIDER };
  const door = {
    ...core,
    temporal: {
      client: new EpisodeClient(temporal.environment.client, temporal.taskQueue),
      tell: () => Promise.resolve(true),
    },
  };
  const { projectId, episodeId, endRun } = await createTestEpisode(database.db);
  await endRun();
  const one = { projectId, episodeId, steps: [STEP_IDS[0]], by: 'test' };
  const whole = { projectId, episodeId, by: 'test', requestId: `whole-${projectId}` };
  const [all, single] = await Promise.all([startRun(door, whole), startRun(door, one)]);
  expect([all.outcome, single.outcome]).toEqual(['queued', 'queued']);

  // Another request would be lost where it took the waiting run for its own; the same one is the same run.
  const forced = { projectId, episodeId, by: 'test', force: [STEP_IDS[0]], requestId: `other-${projectId}` };
  const [other, again] = await Promise.all([startRun(door, forced), startRun(door, whole)]);
  expect(other).toMatchObject({
    outcome: 'blocked',
    code: 'run.already_running',
    inTheWay: { workflowId: all.workflowId, workflowRunId: all.runId },
  });
  expect(again).toEqual(all);

  const cancelled = await cancel(door, { projectId, episodeId, by: 'test' });
  expect(cancelled.state).toBe('requested');
  expect([...cancelled.runs].sort()).toEqual([all.runId!, single.runId!].sort());

  stage = await openStage({ ...core, temporal: null }, temporal);
  await stage.closed(all);
  await stage.closed(single);
  expect(worker.buyer.sold).toEqual([]);
  const states = [await runById(database.db, all.runId!), await runById(database.db, single.runId!)];
  // One of the two may have met the other in the overlap check; neither has worked.
  expect(states.map((run) => run?.state).filter((state) => state === 'cancelled').length).toBeGreaterThanOrEqual(1);
  await expect(cancel(door, { projectId, episodeId, by: 'test' })).rejects.toMatchObject({ code: 'step.not_running' });
}, 120_000);
