import { recordCancel } from '../../src/runs/record-cancel';
import type { StepId } from '../../src/domain/steps';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';

describe('a cancel', () => {
  let database: TestDatabase;
  let episode: TestEpisode;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    episode = await createTestEpisode(database.db);
  });

  const running = (step: StepId, runId: string) =>
    episode.insert(step, { status: 'running', run_id: step, workflow_run_id: runId });

  it('by the workflow itself marks only rows of its own run, and nothing once the run has ended', async () => {
    await running('shot_selection', episode.runId);
    await running('entity_t2i', 'another run');
    await recordCancel(
      database.db,
      { projectId: episode.projectId, episodeId: 'e1' },
      { workflowRunId: episode.runId, steps: null, by: 'signal' },
    );
    expect((await episode.rows()).map((row) => [row.step_id, row.cancel_requested_at !== null])).toEqual([
      ['entity_t2i', false],
      ['shot_selection', true],
    ]);
    const late = await episode.openRun();
    await episode.endRun(late);
    await recordCancel(
      database.db,
      { projectId: episode.projectId, episodeId: 'e1' },
      { workflowRunId: late, steps: null, by: 'signal' },
    );
    expect(
      await database.db.selectFrom('run_cancel').selectAll().where('workflow_run_id', '=', late).execute(),
    ).toEqual([]);
  });
});
