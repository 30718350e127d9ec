import { cancel } from '../../src/operations/cancel';
import type { OperationDependencies } from '../../src/operations/dependencies';
import { AppError } from '../../src/domain/errors';
import type { StepId } from '../../src/domain/steps';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { FREE_PROVIDER } from '../support/free-provider';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, runUpTo, type TestWorker } from '../support/test-worker';

describe('cancelling', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let signals: string[];
  let temporal: 'up' | 'down';
  /** Workflow ids that Temporal holds open and no worker has taken, with their run ids. */
  let queued: Map<string, string>;
  /** What happens while Temporal is asked. */
  let whenLookedFor: () => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    signals = [];
    temporal = 'up';
    queued = new Map();
    whenLookedFor = () => Promise.resolve();
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db);
  });

  const deps = (): OperationDependencies => ({
    ...worker.deps,
    role: 'api',
    temporalUi: undefined,
    ...FREE_PROVIDER,
    temporal: {
      tell: () => Promise.resolve(true),
      client: {
        openRunId: async (workflowId: string) => {
          if (temporal === 'down') throw new AppError('temporal.unavailable', 'Temporal does not answer.');
          await whenLookedFor();
          return queued.get(workflowId) ?? null;
        },
        signalCancel: async (workflowId: string, runId: string, step: string | undefined) => {
          if (temporal === 'down') throw new AppError('temporal.unavailable', 'Temporal does not answer.');
          signals.push(`${workflowId} ${runId} ${step ?? '*'}`);
        },
      } as unknown as NonNullable<OperationDependencies['temporal']>['client'],
    },
  });
  const ask = (step?: string) =>
    cancel(deps(), {
      projectId: episode.projectId,
      episodeId: 'e1',
      by: 'director',
      ...(step === undefined ? {} : { step }),
    });
  const covered = async (runId = episode.runId) => {
    const rows = await database.db
      .selectFrom('run_cancel')
      .select('step')
      .where('workflow_run_id', '=', runId)
      .orderBy('step')
      .execute();
    return rows.map((row) => row.step);
  };
  const running = (step: StepId, runId = episode.runId) =>
    episode.insert(step, { status: 'running', run_id: step, workflow_run_id: runId });

  it('of a running step covers it and what needs it, shows on its row, and leaves its siblings alone', async () => {
    await running('entity_t2i');
    await running('shot_selection');
    expect(await ask('entity_t2i')).toMatchObject({ state: 'requested', runs: [episode.runId] });
    expect(await covered()).toEqual([
      'background_render',
      'entity_t2i',
      'floor_plan_render',
      'scene_detail',
      'scene_image_pipeline',
      'shot_dependency_t2i',
      't2i_review',
    ]);
    expect((await episode.row('entity_t2i')).cancel_requested_at).toMatch(/Z$/);
    expect((await episode.row('shot_selection')).cancel_requested_at).toBeNull();
    expect(signals).toEqual([`${episode.workflowId} ${episode.runId} entity_t2i`]);
  });

  it('of a step that only waits ahead in an open run writes the cancel, too', async () => {
    expect(await ask('scene_detail')).toMatchObject({ state: 'requested' });
    expect(await covered()).toContain('scene_detail');
    expect(await worker.attempt(episode, 'world_guide')).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['a pending row, handed back', { status: 'pending' }],
    ['a row that a sweep has failed', { status: 'failed', completed_at: null }],
  ])(
    'of a step between two attempts (%s) stands, and the next attempt ends it without an owner',
    async (_what, row) => {
      await episode.insert('world_guide', {
        ...row,
        run_id: 'before',
        workflow_id: episode.workflowId,
        workflow_run_id: episode.runId,
        activity_id: 'world_guide',
      });
      expect(await ask('world_guide')).toMatchObject({ state: 'requested' });
      expect(await worker.attempt(episode, 'world_guide', { attempt: 2 })).toMatchObject({
        outcome: 'ended',
        status: 'cancelled',
      });
      expect(await episode.row('world_guide')).toMatchObject({ status: 'cancelled', run_id: 'before' });
      expect(worker.buyer.sold).toEqual([]);
    },
  );

  it("during a steal ends the dead owner's row, and nobody runs it", async () => {
    await episode.insert('world_guide', {
      status: 'running',
      run_id: 'dead',
      owner_host: 'elsewhere',
      owner_boot_id: 'gone',
      owner_pid: 1,
      heartbeat_at: '2026-03-25T04:12:11Z',
    });
    await ask('world_guide');
    expect(await worker.attempt(episode, 'world_guide')).toMatchObject({ status: 'cancelled' });
    expect(await episode.row('world_guide')).toMatchObject({ status: 'cancelled' });
    expect(worker.buyer.sold).toEqual([]);
  });

  it("keeps a stale row's meaning: every item is looked at again in the run after", async () => {
    await worker.attempt(episode, 'world_guide');
    await episode.patch('world_guide', { status: 'stale', workflow_run_id: 'before' });
    await ask();
    expect(await worker.attempt(episode, 'world_guide')).toMatchObject({ status: 'cancelled' });
    expect(await episode.marks('world_guide')).toEqual(['all']);
  });

  it.each([
    ['an end of its own', { status: 'completed' }],
    ['a failure of its own', { status: 'failed', completed_at: '2026-03-25T04:12:11Z' }],
  ])(
    'of a step that has finished in its run (%s) says that there is nothing to stop, and writes nothing',
    async (_what, row) => {
      await episode.insert('world_guide', { ...row, workflow_run_id: episode.runId });
      await expect(ask('world_guide')).rejects.toMatchObject({ code: 'step.not_running' });
      expect(await covered()).toEqual([]);
    },
  );

  it('of nothing at all is step.not_running', async () => {
    await episode.endRun();
    await expect(ask()).rejects.toMatchObject({ code: 'step.not_running' });
    await expect(ask('world_guide')).rejects.toMatchObject({ code: 'step.not_running' });
  });

  it('of a run that no worker has taken tells it, and stands in the audit', async () => {
    await episode.endRun();
    queued
      .set(`step/${episode.projectId}/e1/world_guide`, 'run-of-one')
      .set(`episode/${episode.projectId}/e1`, 'run-of-all');
    expect(await ask('world_guide')).toEqual({ state: 'requested', steps: [], runs: ['run-of-all', 'run-of-one'] });
    expect(signals).toEqual([
      `episode/${episode.projectId}/e1 run-of-all world_guide`,
      `step/${episode.projectId}/e1/world_guide run-of-one world_guide`,
    ]);
    const acts = await database.db
      .selectFrom('audit')
      .select(['act', 'step_id'])
      .where('project_id', '=', episode.projectId)
      .execute();
    expect(acts).toEqual([{ act: 'cancel', step_id: 'world_guide' }]);
  });

  it('of everything tells a run that no worker has taken, beside one that is under way', async () => {
    queued.set(`step/${episode.projectId}/e1/entity_t2i`, 'run-of-one').set(episode.workflowId, episode.runId);
    expect(await ask()).toMatchObject({ runs: [episode.runId, 'run-of-one'] });
    expect(signals).toEqual([
      `${episode.workflowId} ${episode.runId} *`,
      `step/${episode.projectId}/e1/entity_t2i run-of-one *`,
    ]);
  });

  it('of a run whose row has ended is step.not_running, although Temporal still closes it', async () => {
    await episode.endRun();
    queued.set(`episode/${episode.projectId}/e1`, episode.runId);
    await expect(ask()).rejects.toMatchObject({ code: 'step.not_running' });
    expect(signals).toEqual([]);
  });

  it('of nothing in the ledger does not say that nothing runs where Temporal cannot be asked', async () => {
    await episode.endRun();
    temporal = 'down';
    await expect(ask()).rejects.toMatchObject({
      code: 'temporal.unavailable',
      message: expect.stringContaining('cannot be asked'),
    });
  });

  it('of everything covers all open runs of the episode and marks all its running rows, and no other episode', async () => {
    const single = await episode.openRun(`step/${episode.projectId}/e1/entity_t2i`);
    await running('shot_selection');
    await running('entity_t2i', single);
    const other = await createTestEpisode(database.db);
    await other.insert('world_guide', { status: 'running', workflow_run_id: other.runId });
    expect(await ask()).toMatchObject({ runs: [episode.runId, single] });
    expect([await covered(), await covered(single), await covered(other.runId)]).toEqual([['*'], ['*'], []]);
    expect((await episode.rows()).map((row) => row.cancel_requested_at !== null)).toEqual([true, true]);
    expect((await other.row('world_guide')).cancel_requested_at).toBeNull();
  });

  it('twice is fine, and keeps the first mark', async () => {
    await running('world_guide');
    await ask();
    const { cancel_requested_at: first } = await episode.row('world_guide');
    await ask();
    expect((await episode.row('world_guide')).cancel_requested_at).toBe(first);
  });

  it('stands when Temporal is out of reach, and says that the run was not told', async () => {
    await running('world_guide');
    temporal = 'down';
    await expect(ask()).rejects.toMatchObject({
      code: 'temporal.unavailable',
      message: expect.stringContaining('The cancel stands'),
    });
    expect(await covered()).toEqual(['*']);
  });

  it('covers a run that is opened while the others are told, and tells it, too; audited once for each look that found something', async () => {
    await running('world_guide');
    let late = '';
    whenLookedFor = async () => {
      late ||= await episode.openRun();
    };
    const answer = await ask();
    expect([...answer.runs].sort()).toEqual([episode.runId, late].sort());
    expect(await covered(late)).toEqual(['*']);
    expect(signals).toContain(`${episode.workflowId} ${late} *`);
    await ask();
    const acts = (await episode.everything())['audit'] as { row: { act: string } }[];
    expect(acts.filter(({ row }) => row.act === 'cancel_all')).toHaveLength(3);
  });

  it('of one run does not touch the next: its claim clears the mark of before', async () => {
    await running('world_guide');
    await ask();
    await episode.patch('world_guide', { status: 'cancelled' });
    await episode.endRun();
    expect(await worker.attempt(episode, 'world_guide', { workflowRunId: await episode.openRun() })).toMatchObject({
      status: 'completed',
    });
    expect((await episode.row('world_guide')).cancel_requested_at).toBeNull();
  });

  it('is either before a claim, which then claims nothing, or after it, and then found at the first safe point', async () => {
    for (let round = 0; round < 8; round += 1) {
      const one = await createTestEpisode(database.db);
      const by = openTestWorker(database.db);
      const [outcome] = await Promise.all([
        by.attempt(one, 'world_guide'),
        cancel(deps(), { projectId: one.projectId, episodeId: 'e1', by: 'director' }).then(
          () => 'stands',
          (error: unknown) => error,
        ),
      ]);
      const row = await one.row('world_guide');
      expect(outcome).toMatchObject({ outcome: 'ended', status: row.status });
      expect(['cancelled', 'completed']).toContain(row.status);
      if (row.status === 'cancelled') expect(by.buyer.sold).toEqual([]);
    }
  });

  it('lets a step with nothing left to do end as it would have', async () => {
    await runUpTo(worker, episode, 'shot_selection');
    await ask();
    expect(await worker.attempt(episode, 'world_guide', { attempt: 2 })).toMatchObject({
      outcome: 'ended',
      status: 'completed',
    });
  });
});
