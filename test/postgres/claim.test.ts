import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ALONE, decideStep } from '../../src/execution/decide-step';
import { claimStep } from '../../src/execution/claim-step';
import { readEpisodeView } from '../../src/execution/episode-view';
import type { ResumeDecision } from '../../src/domain/decision';
import type { StepId } from '../../src/domain/steps';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, runUpTo, type TestWorker } from '../support/test-worker';

const LONG_AGO = '2026-03-25 04:12:11.123456+00';

describe('the claim', () => {
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

  const decide = async (by: TestWorker, step: StepId, mode: 'resume' | 'force' = 'resume'): Promise<ResumeDecision> =>
    decideStep(by.deps, await readEpisodeView(database.db, episode.projectId, episode.episodeId), step, ALONE(mode));

  const claim = (by: TestWorker, step: StepId, decision: ResumeDecision, runId = episode.runId) =>
    claimStep(by.deps, {
      key: episode.key(step),
      decision,
      activity: { workflowId: episode.workflowId, workflowRunId: runId, activityId: step, taskToken: 'dG9rZW4=' },
      attempt: 1,
      force: null,
      dependents: null,
    });

  /** All decide on what they see now; then all claim at once. */
  const race = async (step: StepId, contenders = 10) => {
    const workers = Array.from({ length: contenders }, () => openTestWorker(database.db));
    const decisions = await Promise.all(workers.map((one) => decide(one, step)));
    const outcomes = await Promise.all(workers.map((one, at) => claim(one, step, decisions[at]!)));
    return { workers, outcomes, won: outcomes.flatMap((one, at) => (one.outcome === 'claimed' ? [workers[at]!] : [])) };
  };

  describe('of ten at once, one wins and the other nine hold nothing', () => {
    it.each([
      ['an absent row', async () => undefined],
      ['a pending row', () => episode.insert('world_guide', { status: 'pending', run_id: null })],
      ['a failed row', () => episode.insert('world_guide', { status: 'failed', run_id: 'before' })],
      [
        'a dead lock from before ownership, without run id and heartbeat',
        () => episode.insert('world_guide', { status: 'running', run_id: null, started_at: LONG_AGO }),
      ],
      [
        'the dead lock of another host',
        () =>
          episode.insert('world_guide', {
            status: 'running',
            run_id: 'dead-run',
            owner_host: 'elsewhere',
            owner_pid: 7,
            owner_boot_id: 'gone',
            started_at: LONG_AGO,
            heartbeat_at: LONG_AGO,
          }),
      ],
    ])('of %s', async (_what, prepare) => {
      await prepare();
      const { workers, outcomes, won } = await race('world_guide');
      expect(outcomes.filter((one) => one.outcome === 'miss')).toHaveLength(9);
      expect(won).toHaveLength(1);
      const row = await episode.row('world_guide');
      expect(row).toMatchObject({ status: 'running', owner_boot_id: won[0]!.identity.bootId });
      expect(won[0]!.registry.all().map((entry) => [entry.held.runId, entry.state])).toEqual([[row.run_id, 'held']]);
      for (const loser of workers) if (loser !== won[0]) expect(loser.registry.all()).toEqual([]);
    });
  });

  it('of a completed row, made on a stale decision, leaves the completed row and its checkpoint alone', async () => {
    await episode.insert('world_guide', { status: 'failed', run_id: 'first' });
    const stale = await decide(worker, 'world_guide');
    await openTestWorker(database.db).attempt(episode, 'world_guide');
    const before = await episode.row('world_guide');
    expect(await claim(worker, 'world_guide', stale)).toEqual({ outcome: 'miss' });
    expect(await episode.row('world_guide')).toEqual(before);
    expect(before.status).toBe('completed');
  });

  it('tells two attempts apart that both failed: the status alone is not enough', async () => {
    await episode.insert('world_guide', { status: 'failed', run_id: 'first' });
    const stale = await decide(worker, 'world_guide');
    await episode.patch('world_guide', { run_id: 'second' });
    expect(await claim(worker, 'world_guide', stale)).toEqual({ outcome: 'miss' });
    expect(await episode.row('world_guide')).toMatchObject({ status: 'failed', run_id: 'second' });
  });

  it.each(['run_id', 'owner_boot_id', 'started_at', 'heartbeat_at'] as const)(
    'spares a dead lock whose %s has moved since it was judged',
    async (column) => {
      const owner = { owner_host: 'elsewhere', owner_pid: 7, owner_boot_id: 'gone' };
      await episode.insert('world_guide', {
        run_id: 'dead-run',
        ...owner,
        started_at: LONG_AGO,
        heartbeat_at: LONG_AGO,
      });
      const stale = await decide(worker, 'world_guide');
      expect(stale.action).toBe('stale_running_recovery');
      await episode.patch('world_guide', { [column]: '2026-03-25T04:12:12Z' });
      const before = await episode.row('world_guide');
      expect(await claim(worker, 'world_guide', stale)).toEqual({ outcome: 'miss' });
      expect(await episode.row('world_guide')).toEqual(before);
    },
  );

  it('writes a whole identity, keeps id and created_at, and says why on a steal', async () => {
    await episode.insert('world_guide', {
      status: 'running',
      run_id: null,
      started_at: LONG_AGO,
      completed_at: 'x',
      error_message: 'x',
      cancel_requested_at: 'x',
      recovery_count: 4,
    });
    const before = await episode.row('world_guide');
    const claimed = await claim(worker, 'world_guide', await decide(worker, 'world_guide'));
    expect(claimed.outcome).toBe('claimed');
    const after = await episode.row('world_guide');
    expect(after).toMatchObject({
      id: before.id,
      created_at: before.created_at,
      status: 'running',
      owner_host: worker.identity.host,
      owner_pid: worker.identity.pid,
      owner_boot_id: worker.identity.bootId,
      owner_host_id: worker.identity.hostId,
      workflow_id: episode.workflowId,
      workflow_run_id: episode.runId,
      activity_id: 'world_guide',
      activity_task_token: 'dG9rZW4=',
      completed_at: null,
      error_message: null,
      cancel_requested_at: null,
      recovery_count: 5,
      barren_takeovers: 1,
    });
    expect(after.run_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(after.last_recovery_reason).toMatch(/^steal: .*from before ownership was recorded/);
    expect(after.heartbeat_at).toBe(after.started_at);
    expect(after.heartbeat_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('gives every attempt a new run id', async () => {
    await worker.attempt(episode, 'world_guide');
    const { run_id: first } = await episode.row('world_guide');
    await episode.patch('world_guide', { status: 'failed' });
    await worker.attempt(episode, 'world_guide', { workflowRunId: await episode.openRun() });
    expect((await episode.row('world_guide')).run_id).not.toBe(first);
  });

  it('claims nothing once a cancel covers the step, and leaves no row behind in running', async () => {
    const decision = await decide(worker, 'world_guide');
    await episode.cancel('*');
    expect(await claim(worker, 'world_guide', decision)).toEqual({ outcome: 'cancelled' });
    expect(await episode.rows()).toEqual([]);
    expect(worker.registry.all()).toEqual([]);
  });

  it('lets a cancel of another step, and of another run, pass by', async () => {
    await episode.cancel('scene_detail');
    await episode.cancel('*', await episode.openRun('another'));
    expect((await claim(worker, 'world_guide', await decide(worker, 'world_guide'))).outcome).toBe('claimed');
  });

  it.each([
    ['that has ended', async () => (await episode.endRun(), episode.runId)],
    ['that the ledger does not know', async () => randomUUID()],
  ])('claims nothing for a run %s', async (_what, run) => {
    const decision = await decide(worker, 'world_guide');
    expect(await claim(worker, 'world_guide', decision, await run())).toEqual({ outcome: 'run_ended' });
    expect(await episode.rows()).toEqual([]);
  });

  it('holds the gate in its own transaction: what was completed at the decision and is stale now stops it', async () => {
    await runUpTo(worker, episode, 'scene_detail');
    const decision = await decide(worker, 'scene_detail');
    expect(decision.action).toBe('rerun_self');
    await episode.patch('entity_t2i', { status: 'stale' });
    expect(await claim(worker, 'scene_detail', decision)).toEqual({ outcome: 'miss' });
    const outcome = await worker.attempt(episode, 'scene_detail');
    expect(outcome).toMatchObject({ outcome: 'blocked', code: 'step.gate_blocked' });
    expect((await episode.rows()).map((row) => row.step_id)).not.toContain('scene_detail');
  });

  it('waits no longer than its limit for a row that another connection holds, says so, and is then free to try again', async () => {
    await episode.insert('world_guide', { status: 'failed', run_id: 'before' });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM step_run WHERE project_id = $1 FOR UPDATE', [episode.projectId]);
      const decision = await decide(worker, 'world_guide');
      await expect(claim(worker, 'world_guide', decision)).rejects.toMatchObject({ code: 'db.lock_timeout' });
      expect(worker.registry.all()).toEqual([]);
      await other.query('ROLLBACK');
      expect((await claim(worker, 'world_guide', decision)).outcome).toBe('claimed');
    } finally {
      await other.end();
    }
  });

  it('is registered before it is tried: a sibling never finds this process without the run', async () => {
    const seen: (string | undefined)[] = [];
    const { registry } = worker;
    const claimed = await claimStep(
      { ...worker.deps, newId: () => (seen.push(registry.all().at(-1)?.state), randomUUID()) },
      {
        key: episode.key('world_guide'),
        decision: await decide(worker, 'world_guide'),
        activity: { workflowId: null, workflowRunId: null, activityId: null, taskToken: null },
        attempt: 1,
        force: null,
        dependents: null,
      },
    );
    expect(claimed.outcome).toBe('claimed');
    expect(seen).toEqual([undefined, 'claiming']); // the run's own id, then the row's, within the transaction
    expect(registry.all().map((entry) => entry.state)).toEqual(['held']);
  });
});
