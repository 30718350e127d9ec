import { AppError } from '../../src/domain/errors';
import { STEP_IDS } from '../../src/domain/steps';
import { readEpisodeView } from '../../src/execution/episode-view';
import { forecast } from '../../src/execution/forecast';
import { planSteps } from '../../src/execution/plan-steps';
import { planToken as tokenOf } from '../../src/execution/plan-token';
import { sha256 } from '../../src/hash';
import { putEpisode } from '../../src/operations/put-episode';
import { openRun } from '../../src/runs/open-run';
import { lockEpisode } from '../../src/store/episodes';
import type { RunInput } from '../../src/workflows/contract';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, runUpTo, type TestWorker } from '../support/test-worker';
import { waitsForLock } from '../support/waits-for-lock';

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('opening a run, and replacing a screenplay', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let started: number;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    started = 0;
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db);
    await episode.endRun();
  });

  const input = (changes: Partial<RunInput> = {}): RunInput => ({
    projectId: episode.projectId,
    episodeId: 'e1',
    chosen: STEP_IDS,
    force: [],
    items: {},
    requestId: `request of ${episode.projectId}`,
    acceptedAt: '2026-03-25T04:12:11Z',
    by: 'director',
    planToken: null,
    budgetUsd: null,
    leaseSeconds: 90,
    sweepSeconds: 5,
    ...changes,
  });
  const open = (
    changes: Partial<RunInput> = {},
    temporalSays: 'failed' | null = null,
    workflowRunId = `wr-${(started += 1)}-${episode.projectId}`,
    firstRunId = workflowRunId,
  ) =>
    openRun(worker.deps, {
      input: input(changes),
      workflowId: episode.workflowId,
      workflowRunId,
      firstRunId,
      stateInTemporal: () => Promise.resolve(temporalSays),
    });
  const runs = async () =>
    (await episode.everything()).run!.map((one) => (one as { row: { workflow_run_id: string; state: string } }).row);

  it('decides every chosen step and writes the run; asked again, it gives the same answer and writes nothing', async () => {
    const opened = await open();
    expect(opened).toMatchObject({ outcome: 'opened', code: null });
    expect(opened.decisions.map((decision) => [decision.stepId, decision.action])).toEqual(
      STEP_IDS.map((step) => [step, 'rerun_self']),
    );
    expect(await open({}, null, opened.ledgerRunId)).toEqual(opened);
    expect(await runs()).toHaveLength(2); // the one of the episode's making, and this
  });

  describe('over a screenplay that is replaced while it plans', () => {
    /** Holds the episode as a writer does, lets the run plan over what was there, and lands the write. */
    const replacedMeanwhile = async (opening: () => ReturnType<typeof open>): ReturnType<typeof open> => {
      const openings: ReturnType<typeof open>[] = [];
      await database.db.transaction().execute(async (tx) => {
        await lockEpisode(tx, episode.projectId, 'e1');
        openings.push(opening());
        await waitsForLock(database.db, 'it has planned, and waits for the episode');
        await tx
          .updateTable('episode')
          .set({ screenplay: 'INT. ATTIC - DAY', screenplay_hash: sha256('INT. ATTIC - DAY'), screenplay_version: 2 })
          .where('project_id', '=', episode.projectId)
          .execute();
      });
      return openings[0]!;
    };

    it('refuses the token of the plan that was made before', async () => {
      const view = await readEpisodeView(database.db, episode.projectId, 'e1');
      const choice = input();
      const parts = { ...worker.deps, estimateUsd: () => 0 };
      const planToken = tokenOf(
        view,
        choice,
        await planSteps(parts, view, choice, await forecast(worker.deps, view, choice)),
      );
      expect(await replacedMeanwhile(() => open({ planToken }))).toMatchObject({
        outcome: 'blocked',
        code: 'plan.outdated',
        differences: expect.arrayContaining(['Changed: the screenplay.']),
      });
    });

    it('announces what the new one needs', async () => {
      expect(await replacedMeanwhile(() => open())).toMatchObject({ outcome: 'opened', code: null });
    });
  });

  it('answers a second workflow of the same request as the first one, and tells it to run nothing', async () => {
    const opened = await open();
    expect(await open()).toEqual({ ...opened, answeredBefore: true });
    await episode.endRun(opened.ledgerRunId);
    expect(await open()).toEqual({ ...opened, answeredBefore: true });
    expect((await runs()).filter((run) => run.state === 'open')).toHaveLength(0);
  });

  it('lets a workflow that was reset go on with the run that it came from, unless that has ended', async () => {
    const opened = await open();
    expect(await open({}, null, 'reset', opened.ledgerRunId)).toEqual(opened);
    await episode.endRun(opened.ledgerRunId);
    expect(await open({}, null, 'reset', opened.ledgerRunId)).toEqual({ ...opened, answeredBefore: true });
  });

  it('of twenty at once opens one, and names it to the others', async () => {
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_none, at) => open({ requestId: `r${at}-${episode.projectId}` })),
    );
    expect(opened.filter((one) => one.outcome === 'opened')).toHaveLength(1);
    expect(
      opened.filter((one) => one.outcome === 'already_running' && one.code === 'run.already_running'),
    ).toHaveLength(19);
    expect((await runs()).filter((run) => run.state === 'open')).toHaveLength(1);
  });

  it('meets an open run only in steps that it has chosen and not finished', async () => {
    const first = await open({ chosen: ['world_guide', 'entity_t2i'] });
    expect(await open({ requestId: 'r2' + episode.projectId, chosen: ['entity_t2i'] })).toMatchObject({
      outcome: 'already_running',
    });
    await episode.insert('world_guide', { status: 'completed', workflow_run_id: first.ledgerRunId });
    expect(await open({ requestId: 'r3' + episode.projectId, chosen: ['world_guide'] })).toMatchObject({
      outcome: 'opened',
    });
  });

  it('meets an open run in a step that stands between two attempts', async () => {
    const first = await open({ chosen: ['world_guide'] });
    await episode.insert('world_guide', { status: 'failed', completed_at: null, workflow_run_id: first.ledgerRunId });
    expect(await open({ requestId: 'r2' + episode.projectId, chosen: ['world_guide'] })).toMatchObject({
      outcome: 'already_running',
    });
  });

  it('ends a run that Temporal knows as closed, and opens', async () => {
    const first = await open();
    expect(await open({ requestId: 'r2' + episode.projectId }, 'failed')).toMatchObject({ outcome: 'opened' });
    expect(await runs()).toContainEqual(
      expect.objectContaining({ workflow_run_id: first.ledgerRunId, state: 'failed' }),
    );
  });

  it("is refused as a whole by one block, with the first blocker's code and all decisions, and is ended", async () => {
    const opened = await open({ chosen: ['scene_detail', 'floor_plan_render'] });
    expect(opened).toMatchObject({ outcome: 'blocked', code: 'step.gate_blocked' });
    expect(opened.decisions).toHaveLength(2);
    expect(await runs()).toContainEqual(
      expect.objectContaining({ workflow_run_id: opened.ledgerRunId, state: 'blocked' }),
    );
  });

  it('finds nothing to do where every step is done', async () => {
    const run = await episode.openRun();
    for (const step of STEP_IDS) await worker.attempt(episode, step, { workflowRunId: run });
    await episode.endRun(run);
    expect(await open()).toMatchObject({ outcome: 'nothing' });
  });

  it('is not held up by a checkpoint that is gone, whichever step it was of', async () => {
    const run = await episode.openRun();
    for (const step of STEP_IDS) await worker.attempt(episode, step, { workflowRunId: run });
    await episode.endRun(run);
    const kept = await database.db
      .selectFrom('checkpoint')
      .selectAll()
      .where('project_id', '=', episode.projectId)
      .execute();
    for (const { id: _id, ...row } of kept) {
      await database.db
        .deleteFrom('checkpoint')
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', row.step_id)
        .execute();
      const opened = await open({ requestId: `gone-${row.step_id}-${episode.projectId}` });
      expect([row.step_id, opened.outcome]).toEqual([row.step_id, 'opened']);
      expect(
        opened.decisions
          .filter((decision) => decision.action !== 'skip')
          .map((decision) => [decision.stepId, decision.action, decision.origin]),
      ).toEqual([[row.step_id, 'rerun_self', 'artifact_missing']]);
      await episode.endRun(opened.ledgerRunId);
      await database.db.insertInto('checkpoint').values(row).execute();
    }
  });

  it('refuses a plan that is outdated', async () => {
    expect(await open({ planToken: 'of before' })).toMatchObject({ outcome: 'blocked', code: 'plan.outdated' });
  });

  it('counts the deaths of its steps anew, and those of other steps on', async () => {
    for (const step of ['world_guide', 'entity_t2i'] as const)
      await episode.insert(step, { status: 'failed', barren_takeovers: 3 });
    await open({ chosen: ['world_guide'] });
    expect([
      (await episode.row('world_guide')).barren_takeovers,
      (await episode.row('entity_t2i')).barren_takeovers,
    ]).toEqual([0, 3]);
  });

  it('of an episode that is not there is refused', async () => {
    await expect(open({ episodeId: 'nowhere' })).rejects.toMatchObject({ code: 'episode.unknown' });
  });

  describe('a replaced screenplay', () => {
    const put = (text: string, fileName = 'a.fountain') =>
      putEpisode(
        { db: database.db },
        { projectId: episode.projectId, episodeId: 'e1', fileName, bytes: bytes(text), by: 'director' },
      );

    it('makes every step that has run stale, and marks all its items, in one act that is audited', async () => {
      const run = await episode.openRun();
      await runUpTo(
        { ...worker, attempt: (one, step) => worker.attempt(one, step, { workflowRunId: run }) },
        episode,
        'scene_detail',
      );
      await episode.endRun(run);
      await episode.insert('scene_detail', { status: 'pending' });
      expect(await put('INT. ANOTHER ROOM - DAY\n\nNobody.')).toMatchObject({ changed: true, screenplayVersion: 2 });
      expect((await episode.rows()).map((row) => [row.step_id, row.status])).toEqual([
        ['entity_t2i', 'stale'],
        ['scene_detail', 'pending'],
        ['shot_selection', 'stale'],
        ['world_guide', 'stale'],
      ]);
      expect(await episode.marks('world_guide')).toEqual(['all']);
      const { audit } = await episode.everything();
      expect(audit).toMatchObject([{ row: { act: 'screenplay', by: 'director' } }]);
    });

    it('is refused while a run is open, and while a row still runs, and then changes nothing', async () => {
      const run = await episode.openRun();
      const attempt = async () => {
        const before = await episode.everything();
        await expect(put('Another text.')).rejects.toMatchObject({ code: 'run.already_running' });
        expect(await episode.everything()).toEqual(before);
      };
      await attempt();
      await episode.endRun(run);
      await episode.insert('world_guide', { status: 'running', run_id: 'x' });
      await attempt();
    });

    it('of the same text changes nothing, however it is spelled', async () => {
      const first = await put('INT. ROOM - DAY\n\nOne.\n');
      await episode.openRun();
      expect(await put('\uFEFFINT. ROOM - DAY\r\n\r\nOne.\r\n')).toMatchObject({
        changed: false,
        screenplayVersion: first.screenplayVersion,
      });
    });

    it('at once with an opening run is either before it or refused: no run opens on a text that changes under it', async () => {
      for (let round = 0; round < 6; round += 1) {
        episode = await createTestEpisode(database.db);
        await episode.endRun();
        const [opened, replaced] = await Promise.all([open(), put(`Text ${round}.`).catch((error: AppError) => error)]);
        const [run] = (await episode.everything()).run!.filter(
          (one) => (one as { row: { workflow_run_id: string } }).row.workflow_run_id === opened.ledgerRunId,
        ) as { row: { screenplay_version: number } }[];
        expect(run!.row.screenplay_version).toBe(replaced instanceof AppError ? 1 : 2);
      }
    });
  });
});
