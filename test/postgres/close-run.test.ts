import type { StepId } from '../../src/domain/steps';
import { closeRun } from '../../src/runs/close-run';
import { endClosedRuns } from '../../src/runs/end-closed-runs';
import type { RunInput, StepEnd } from '../../src/workflows/contract';
import { STEP_IDS } from '../../src/domain/steps';
import { shareRun } from '../../src/ledger/share-run';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type TestWorker } from '../support/test-worker';
import { waitsForLock } from '../support/waits-for-lock';

const LONG_AGO = '2026-03-25T04:12:11Z';

describe('the last activity of a run', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db);
  });

  const inputOf = (chosen: readonly StepId[]): RunInput => ({
    projectId: episode.projectId,
    episodeId: 'e1',
    chosen,
    force: [],
    items: {},
    requestId: 'r',
    acceptedAt: LONG_AGO,
    by: 'test',
    planToken: null,
    budgetUsd: null,
    leaseSeconds: 90,
    sweepSeconds: 5,
  });
  const close = (
    results: Partial<Record<StepId, StepEnd>> = {},
    chosen: readonly StepId[] = STEP_IDS,
    changes: Partial<RunInput> = {},
  ) => closeRun(worker.deps, { run: { ...inputOf(chosen), ...changes }, ledgerRunId: episode.runId, results });
  const run = () =>
    database.db.selectFrom('run').selectAll().where('workflow_run_id', '=', episode.runId).executeTakeFirstOrThrow();
  const mine = () => ({ workflow_id: episode.workflowId, workflow_run_id: episode.runId });
  const leftByDeadOwner = () =>
    episode.insert('world_guide', {
      ...mine(),
      status: 'running',
      run_id: 'x',
      owner_host: 'elsewhere',
      owner_boot_id: 'o',
      heartbeat_at: LONG_AGO,
    });
  const fresh = async () => (await run()).opened_at;

  it.each([
    [['completed', 'not_applicable'], 'done'],
    [['completed', 'cancelled'], 'cancelled'],
    [['cancelled', 'partial'], 'partial'],
    [['partial', 'blocked'], 'blocked'],
    [['blocked', 'failed'], 'failed'],
    [[], 'done'],
  ] as const)('ends the run as its worst step: %j is %s', async (ends, state) => {
    const results = Object.fromEntries(ends.map((end, at) => [STEP_IDS[at]!, end]));
    expect(await close(results)).toEqual({ waiting: false, state });
    expect(await run()).toMatchObject({ state, ended_at: expect.stringMatching(/Z$/) });
  });

  it('waits while a row of its own runs under a live owner, and while nobody can tell', async () => {
    await episode.insert('world_guide', {
      ...mine(),
      status: 'running',
      run_id: 'x',
      owner_host: 'elsewhere',
      owner_boot_id: 'o',
      heartbeat_at: await fresh(),
    });
    expect(await close()).toMatchObject({ waiting: true });
    await episode.patch('world_guide', { heartbeat_at: 'yesterday' });
    expect(await close()).toMatchObject({ waiting: true });
    expect(await run()).toMatchObject({ ended_at: null });
    expect(await episode.row('world_guide')).toMatchObject({ status: 'running' });
    expect(worker.logged).toMatchObject([
      { level: 40, row: { step_id: 'world_guide' }, verdict: { verdict: 'unknown' } },
    ]);
  });

  it('waits for a row that was claimed while it closed: it does not end the run over it', async () => {
    const closings: ReturnType<typeof close>[] = [];
    await database.db.transaction().execute(async (tx) => {
      await shareRun(tx, episode.runId, 'world_guide');
      await episode.insert('world_guide', { ...mine(), status: 'pending' });
      closings.push(close());
      await waitsForLock(database.db, 'it waits for the claim');
      await tx
        .updateTable('step_run')
        .set({ status: 'running', run_id: 'x', owner_host: 'elsewhere', owner_boot_id: 'o' })
        .where('project_id', '=', episode.projectId)
        .execute();
    });
    expect(await closings[0]).toMatchObject({ waiting: true });
    expect(await run()).toMatchObject({ ended_at: null });
  });

  it('ends the row of a dead owner, but not before this worker may act on a death by heartbeat', async () => {
    await leftByDeadOwner();
    worker.mayAct = false;
    expect(await close()).toMatchObject({ waiting: true });
    worker.mayAct = true;
    expect(await close()).toMatchObject({ waiting: false });
    expect(await episode.row('world_guide')).toMatchObject({ status: 'failed', recovery_count: 1 });
    expect(worker.logged).toMatchObject([
      { level: 40, row: { step_id: 'world_guide' }, verdict: { verdict: 'dead', branch: 5, ages: expect.anything() } },
    ]);
  });

  it.each([
    ['of it', 'world_guide', 'cancelled'],
    ['of everything', '*', 'cancelled'],
    ['of another step', 'shot_selection', 'failed'],
  ] as const)('ends the row of a dead owner after a cancel %s as what it is', async (_what, cancelled, status) => {
    await leftByDeadOwner();
    await episode.cancel(cancelled);
    expect(await close()).toMatchObject({ waiting: false });
    expect(await episode.row('world_guide')).toMatchObject({ status });
  });

  it('leaves the running row of another run alone, and does not wait for it', async () => {
    await episode.insert('world_guide', {
      status: 'running',
      run_id: 'x',
      workflow_run_id: 'another',
      heartbeat_at: LONG_AGO,
    });
    expect(await close()).toMatchObject({ waiting: false });
    expect(await episode.row('world_guide')).toMatchObject({ status: 'running' });
  });

  it('makes what a named cancel found waiting cancelled, without an owner; what is completed stays', async () => {
    await episode.insert('world_guide', { status: 'completed' });
    await episode.insert('shot_selection', { status: 'failed', run_id: 'before' });
    await episode.insert('entity_t2i', { status: 'stale' });
    for (const step of ['world_guide', 'shot_selection', 'entity_t2i', 'scene_detail'] as const)
      await episode.cancel(step);
    await close({ shot_selection: 'cancelled' });
    const rows = Object.fromEntries((await episode.rows()).map((row) => [row.step_id, row.status]));
    expect(rows).toEqual({
      world_guide: 'completed',
      shot_selection: 'cancelled',
      entity_t2i: 'cancelled',
      scene_detail: 'cancelled',
    });
  });

  it('leaves a row as it was whose force had not begun; one that had begun here is cancelled', async () => {
    await episode.insert('world_guide', { ...mine(), status: 'pending' });
    await episode.insert('shot_selection', { status: 'partial', run_id: 'before', error_message: 'budget.exhausted' });
    await episode.insert('entity_t2i', { status: 'failed', run_id: 'before' });
    for (const step of ['world_guide', 'shot_selection', 'entity_t2i'] as const) await episode.cancel(step);
    const forced = { force: ['world_guide', 'shot_selection'] as const, items: { entity_t2i: ['character-x'] } };
    await close({ world_guide: 'cancelled', shot_selection: 'cancelled', entity_t2i: 'cancelled' }, STEP_IDS, forced);
    const rows = Object.fromEntries((await episode.rows()).map((row) => [row.step_id, row.status]));
    expect(rows).toEqual({ world_guide: 'cancelled', shot_selection: 'partial', entity_t2i: 'failed' });
  });

  it('after a cancel of everything ends only what has started in this run; what has not keeps its status', async () => {
    await episode.insert('world_guide', { ...mine(), status: 'pending' });
    await episode.insert('shot_selection', { status: 'failed', workflow_run_id: 'before' });
    await episode.insert('entity_t2i', { status: 'stale' });
    await episode.cancel('*');
    await close({ world_guide: 'cancelled' });
    const rows = Object.fromEntries((await episode.rows()).map((row) => [row.step_id, row.status]));
    expect(rows).toEqual({ world_guide: 'cancelled', shot_selection: 'failed', entity_t2i: 'stale' });
  });

  it('that comes a second time, late, touches no row of a run that began meanwhile', async () => {
    await episode.cancel('world_guide');
    await close({ world_guide: 'cancelled' });
    await episode.patch('world_guide', { status: 'failed', workflow_run_id: await episode.openRun() }); // between two attempts of the next run
    const before = await episode.everything();
    expect(await close({ world_guide: 'cancelled' })).toEqual({ waiting: false, state: 'cancelled' });
    expect(await episode.everything()).toEqual(before);
  });

  it('ends in the ledger what Temporal knows as closed, and leaves open what is open', async () => {
    const open = await episode.openRun();
    const ended = await endClosedRuns({
      db: database.db,
      log: worker.deps.log,
      stateInTemporal: (_workflow, id) => Promise.resolve(id === episode.runId ? 'failed' : null),
    });
    expect(ended).toBe(1);
    expect(await run()).toMatchObject({ state: 'failed', ended_at: expect.anything() });
    const other = await database.db
      .selectFrom('run')
      .select('ended_at')
      .where('workflow_run_id', '=', open)
      .executeTakeFirstOrThrow();
    expect(other.ended_at).toBeNull();
  });
});
