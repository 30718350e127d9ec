import { claimStep } from '../../src/execution/claim-step';
import { ALONE, decideStep } from '../../src/execution/decide-step';
import { readEpisodeView } from '../../src/execution/episode-view';
import type { ForceRequest } from '../../src/execution/force';
import type { StepId } from '../../src/domain/steps';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { createToy, type Toy } from '../support/toy-pipeline';
import { openTestWorker, runUpTo, type TestWorker } from '../support/test-worker';

const LONG_AGO = '2026-03-25T04:12:11Z';
const FORCE: ForceRequest = { requestId: 'request-1', items: null, by: 'director' };

describe('force', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let toy: Toy;
  let run: string;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    toy = createToy();
    for (const step of ['shot_selection', 'scene_detail', 'shot_dependency_t2i'] as const) toy.items[step] = ['a', 'b'];
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db, { toy });
    await runUpTo(worker, episode, 'floor_plan_render');
    run = await episode.openRun();
    worker.buyer.sold.length = 0;
  });

  const force = (step: StepId, request: ForceRequest = FORCE, by = worker) =>
    by.attempt(episode, step, { force: request, workflowRunId: run });
  const sales = (by = worker) => by.buyer.sold.map((sale) => `${sale.item} of generation ${sale.generation}`).sort();
  const statuses = async () => Object.fromEntries((await episode.rows()).map((row) => [row.step_id, row.status]));
  const generations = async () => (await episode.everything()).generation;

  it('archives and asks anew what it names, makes everything downstream stale, and leaves the rest alone', async () => {
    expect(await force('scene_detail')).toMatchObject({ status: 'completed' });
    expect(sales()).toEqual(['a of generation 1', 'b of generation 1']);
    expect(await statuses()).toEqual({
      world_guide: 'completed',
      shot_selection: 'completed',
      entity_t2i: 'completed',
      scene_detail: 'completed',
      shot_dependency_t2i: 'stale',
      t2i_review: 'stale',
    });
    expect(await episode.marks('shot_dependency_t2i')).toEqual(['a', 'b']);
    expect(await episode.marks('scene_detail')).toEqual([]);
    expect(await episode.versions('scene_detail')).toEqual([1, 2]);
    expect(await episode.versions('shot_dependency_t2i')).toEqual([1]);
    const { audit } = await episode.everything();
    expect(audit).toMatchObject([{ row: { act: 'force', by: 'director', step_id: 'scene_detail' } }]);
  });

  it('is obeyed once: a second attempt of the same request skips, and buys nothing twice', async () => {
    await force('scene_detail');
    expect(
      await worker.attempt(episode, 'scene_detail', { force: FORCE, workflowRunId: await episode.openRun() }),
    ).toMatchObject({
      outcome: 'ended',
      status: 'completed',
      ran: false,
    });
    expect(worker.buyer.sold).toHaveLength(2);
    expect(await generations()).toHaveLength(1);
  });

  it('is obeyed once across a death: the next owner goes on with what the dead one kept, in the same generation', async () => {
    const inHand = worker.buyer.hold('b');
    const first = force('scene_detail');
    const call = await inHand;
    await eventually('the first item is kept', async () => (await episode.kept('scene_detail')).includes('a'));
    await episode.patch('scene_detail', { heartbeat_at: LONG_AGO });
    const heir = openTestWorker(database.db, { toy });
    expect(await force('scene_detail', FORCE, heir)).toMatchObject({ status: 'completed' });
    expect(sales(heir)).toEqual(['b of generation 1']);
    call.answer();
    expect(await first).toMatchObject({ outcome: 'retry', code: 'step.ownership_lost' });
    expect(await generations()).toHaveLength(1);
    expect(await episode.versions('scene_detail')).toEqual([1, 2]);
  });

  it('of some items asks these anew, and marks downstream only what reads them', async () => {
    expect(await force('scene_detail', { ...FORCE, items: ['a'] })).toMatchObject({ status: 'completed' });
    expect(sales()).toEqual(['a of generation 1']);
    expect(await episode.marks('shot_dependency_t2i')).toEqual(['a']);
    expect(await statuses()).toMatchObject({ shot_dependency_t2i: 'stale', t2i_review: 'completed' });
  });

  it('by a person at a second request opens a second generation', async () => {
    await force('scene_detail');
    run = await episode.openRun();
    await force('scene_detail', { ...FORCE, requestId: 'request-2', items: ['b'] });
    expect(sales()).toEqual(['a of generation 1', 'b of generation 1', 'b of generation 2']);
  });

  describe('while a step downstream runs', () => {
    const owner = { owner_host: 'elsewhere', owner_pid: 7, owner_boot_id: 'other', owner_host_id: null };
    const claimForced = async (decision?: Awaited<ReturnType<typeof decideNow>>) =>
      claimStep(worker.deps, {
        key: episode.key('scene_detail'),
        decision: decision ?? (await decideNow()),
        activity: { workflowId: episode.workflowId, workflowRunId: run, activityId: 'scene_detail', taskToken: null },
        attempt: 1,
        force: FORCE,
        dependents: null,
      });
    const decideNow = async () =>
      decideStep(
        worker.deps,
        await readEpisodeView(database.db, episode.projectId, 'e1'),
        'scene_detail',
        ALONE('force'),
      );

    const warnings = () => worker.logged.filter((line) => line.level === 40 && 'verdict' in line);

    it('is refused at the decision, naming it, and changes nothing', async () => {
      await episode.patch('t2i_review', {
        status: 'running',
        ...owner,
        heartbeat_at: (await episode.row('scene_detail')).updated_at,
      });
      const { step_decision: _decisions, ...before } = await episode.everything();
      expect(await force('scene_detail')).toMatchObject({
        outcome: 'blocked',
        code: 'step.downstream_running',
        reason: expect.stringContaining('t2i_review'),
      });
      const { step_decision: _after, ...after } = await episode.everything();
      expect(after).toEqual(before);
    });

    it('that appeared after the decision, rolls the claim back: nothing at all has changed', async () => {
      const decision = await decideNow();
      await episode.patch('t2i_review', {
        status: 'running',
        ...owner,
        heartbeat_at: (await episode.row('scene_detail')).updated_at,
      });
      const before = await episode.everything();
      expect(await claimForced(decision)).toMatchObject({ outcome: 'downstream_running', step: 't2i_review' });
      expect(await episode.everything()).toEqual(before);
      expect(worker.registry.all()).toEqual([]);
    });

    it('under a dead owner, fails that row first, then makes it stale', async () => {
      await episode.patch('t2i_review', { status: 'running', ...owner, heartbeat_at: LONG_AGO });
      expect(await force('scene_detail')).toMatchObject({ status: 'completed' });
      expect(await episode.row('t2i_review')).toMatchObject({
        status: 'stale',
        recovery_count: 1,
        last_recovery_reason: expect.stringMatching(/^forced scene_detail: /),
      });
      expect(warnings()).toMatchObject([{ row: { step_id: 't2i_review' }, verdict: { verdict: 'dead', branch: 5 } }]);
    });

    it('under an owner that only looks dead after an outage, waits: this worker may not act on it yet, and nothing changes', async () => {
      await episode.patch('t2i_review', { status: 'running', ...owner, heartbeat_at: LONG_AGO });
      worker.mayAct = false;
      const before = await episode.everything();
      expect(await force('scene_detail')).toMatchObject({ outcome: 'retry', code: 'step.already_running' });
      expect(await episode.everything()).toEqual(before);
    });

    it('under an owner that cannot be judged, and appeared after the decision, is refused with a warning', async () => {
      const decision = await decideNow();
      await episode.patch('t2i_review', { status: 'running', ...owner, heartbeat_at: 'yesterday' });
      expect(await claimForced(decision)).toMatchObject({ outcome: 'downstream_running' });
      expect(warnings()).toMatchObject([{ row: { step_id: 't2i_review' }, verdict: { verdict: 'unknown' } }]);
    });

    it('under an owner that cannot be judged, is refused', async () => {
      await episode.patch('t2i_review', { status: 'running', ...owner, heartbeat_at: 'yesterday' });
      expect(await force('scene_detail')).toMatchObject({ outcome: 'blocked', code: 'step.downstream_running' });
      expect(warnings()).toMatchObject([
        { row: { step_id: 't2i_review' }, verdict: { verdict: 'unknown', branch: expect.any(Number) } },
      ]);
    });
  });

  it.each(['completed', 'failed'] as const)(
    'that was cancelled before it began leaves a %s row as it was, and is not obeyed',
    async (status) => {
      await episode.patch('scene_detail', { status });
      await episode.cancel('*', run);
      const before = await episode.row('scene_detail');
      expect(await force('scene_detail')).toMatchObject({ outcome: 'ended', status: 'cancelled' });
      expect(await episode.row('scene_detail')).toEqual(before);
      expect(await generations()).toEqual([]);
    },
  );

  it('runs with no look at a verifier that would block', async () => {
    toy.verify.scene_detail = () => Promise.reject(new TypeError('broken'));
    await force('scene_detail');
    expect(toy.verified.filter((step) => step === 'scene_detail')).toHaveLength(2); // once before this test, once at the exit
  });

  it('leaves pending rows pending, and makes none', async () => {
    await episode.patch('t2i_review', { status: 'pending' });
    await force('scene_detail');
    expect(await statuses()).toMatchObject({ t2i_review: 'pending' });
    expect(Object.keys(await statuses())).not.toContain('floor_plan_render');
  });
});
