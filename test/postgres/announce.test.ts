import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../src/activities/create-activities';
import { ActivityHeartbeats } from '../../src/activities/heartbeats';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { inputOf } from '../support/episode-run';
import { createTestEpisode } from '../support/test-episode';
import { openTestWorker } from '../support/test-worker';

describe('the announcement of a step', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('blocks on a running row that nobody can judge, and warns of it with row, branch and ages', async () => {
    const episode = await createTestEpisode(database.db);
    const worker = openTestWorker(database.db);
    const activities = createActivities({
      ...worker.deps,
      heartbeats: new ActivityHeartbeats(),
      shutdown: { requested: false },
      stateInTemporal: () => Promise.resolve(null),
    });
    await episode.insert('world_guide', {
      run_id: 'x',
      owner_host: 'elsewhere',
      owner_boot_id: 'o',
      heartbeat_at: 'yesterday',
    });
    const turn = {
      run: inputOf({ projectId: episode.projectId, episodeId: 'e1' }),
      ledgerRunId: episode.runId,
      firstRunId: episode.runId,
      stepId: 'world_guide' as const,
    };
    const environment = new MockActivityEnvironment({
      workflowExecution: { workflowId: episode.workflowId, runId: episode.runId },
    });
    expect(await environment.run(() => activities.announceStep(turn))).toMatchObject({
      action: 'block',
      code: 'step.resume_blocked',
    });
    expect(worker.logged).toMatchObject([
      {
        level: 40,
        row: { step_id: 'world_guide' },
        verdict: { verdict: 'unknown', branch: 5, ages: expect.anything() },
      },
    ]);
  });
});
