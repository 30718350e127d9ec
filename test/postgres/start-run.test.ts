import type { EpisodeClient, Started } from '../../src/client';
import type { OperationDependencies } from '../../src/operations/dependencies';
import { startRun } from '../../src/operations/start-run';
import type { OpenedRun } from '../../src/workflows/contract';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { FREE_PROVIDER } from '../support/free-provider';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker } from '../support/test-worker';

/** What a door makes of what Temporal answers to a start (spec 15 "Starting"). */
describe('the answer to a start', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  /** What Temporal answers, one after the other; the last one again and again. */
  let answers: Started[];
  let asked: number;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    asked = 0;
    episode = await createTestEpisode(database.db);
  });

  const answered = (opened: Partial<OpenedRun>): Started => ({
    outcome: 'answered',
    runId: 'run',
    opened: {
      outcome: 'opened',
      ledgerRunId: 'run',
      requestId: 'mine',
      decisions: [],
      code: null,
      reason: null,
      ...opened,
    },
  });
  const start = (steps?: string[]) => {
    const client = { start: async () => answers[Math.min(asked++, answers.length - 1)]! } as unknown as EpisodeClient;
    const deps: OperationDependencies = {
      ...openTestWorker(database.db).deps,
      role: 'api',
      temporalUi: undefined,
      ...FREE_PROVIDER,
      sleep: () => Promise.resolve(),
      temporal: { tell: () => Promise.resolve(true), client },
    };
    return startRun(deps, {
      ...episode.key('world_guide'),
      requestId: 'mine',
      by: 'test',
      ...(steps ? { steps } : {}),
    });
  };

  it.each([
    ['has nothing to do', { outcome: 'nothing' }],
    ['is refused', { outcome: 'blocked', code: 'step.resume_blocked' }],
    ['was answered before', { answeredBefore: true }],
  ] as const)(
    'is not taken from a run of another request that %s: that run closes by itself',
    async (_what, theirs) => {
      answers = [answered({ requestId: 'theirs', ...theirs }), answered({ outcome: 'nothing' })];
      expect(await start()).toMatchObject({ outcome: 'nothing_to_start' });
      expect(asked).toBe(2);
    },
  );

  it('names the run of another request that goes on, at once', async () => {
    answers = [answered({ requestId: 'theirs', ledgerRunId: 'their run' })];
    expect(await start()).toMatchObject({
      outcome: 'blocked',
      code: 'run.already_running',
      inTheWay: { workflowRunId: 'their run' },
    });
    expect(asked).toBe(1);
  });

  it('of one step that its attempt refuses shows what the attempt decided, not what was announced', async () => {
    const announced = {
      stepId: 'world_guide',
      action: 'rerun_self',
      origin: 'never_ran',
      code: null,
      reason: 'It never ran.',
    } as unknown as OpenedRun['decisions'][number];
    answers = [answered({ ledgerRunId: episode.runId, decisions: [announced] })];
    await database.db
      .insertInto('step_decision')
      .values({
        project_id: episode.projectId,
        episode_id: 'e1',
        step_id: 'world_guide',
        workflow_run_id: episode.runId,
        made_by: 'attempt',
        action: 'block',
        code: 'step.already_running',
        reason: 'A worker has it.',
        evidence: '[]',
      })
      .execute();
    expect(await start(['world_guide'])).toMatchObject({
      outcome: 'blocked',
      code: 'step.already_running',
      decisions: [{ stepId: 'world_guide', action: 'block', code: 'step.already_running', reason: 'A worker has it.' }],
    });
  });
});
