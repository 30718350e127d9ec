import { Client } from 'pg';
import type { StepRun } from '../../src/db/tables';
import type { StepId } from '../../src/domain/steps';
import { reclaimDeadRows } from '../../src/execution/reclaim';
import { Sweep } from '../../src/execution/sweep';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { startSleepingProcess, type SleepingProcess } from '../support/sleeping-process';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type TestWorker } from '../support/test-worker';

const LONG_AGO = '2026-03-25T04:12:11Z';

describe('start-up reclaim and sweep', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let sister: SleepingProcess;
  let deadPid: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    sister = await startSleepingProcess();
    const killed = await startSleepingProcess();
    await killed.kill();
    deadPid = killed.pid;
  });
  afterAll(async () => {
    await sister.kill();
    await database.drop();
  });
  beforeEach(async () => {
    await database.db.deleteFrom('step_run').execute();
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db);
  });

  const told: StepRun[] = [];
  beforeEach(() => told.splice(0));
  const reclaim = (by: 'startup reclaim' | 'sweep', one = worker) =>
    reclaimDeadRows(one.deps, by, async (row) => void told.push(row));
  const ownedBy = (step: StepId, owner: Partial<StepRun>) =>
    episode.insert(step, {
      run_id: `run of ${step}`,
      owner_host: worker.identity.host,
      owner_host_id: 'kernel-1',
      owner_boot_id: 'a sister',
      started_at: LONG_AGO,
      heartbeat_at: LONG_AGO,
      ...owner,
    });

  it.each([
    ['startup reclaim', 'startup reclaim: owner process gone'],
    ['sweep', 'sweep: owner process gone'],
  ] as const)(
    'by %s fails the rows of gone processes of this host, and tells Temporal of these only',
    async (by, reason) => {
      await ownedBy('world_guide', { owner_pid: deadPid });
      await ownedBy('shot_selection', { owner_pid: sister.pid });
      expect(await reclaim(by)).toMatchObject({ reclaimed: [{ step_id: 'world_guide' }], left: 1 });
      expect(await episode.row('world_guide')).toMatchObject({
        status: 'failed',
        recovery_count: 1,
        barren_takeovers: 1,
        last_recovery_reason: reason,
        run_id: 'run of world_guide',
        owner_pid: deadPid,
      });
      expect(await episode.row('shot_selection')).toMatchObject({ status: 'running', recovery_count: 0 });
      expect(told.map((row) => row.step_id)).toEqual(['world_guide']);
    },
  );

  it('leaves alone a stopped sister, another host, a twin container, rows without identity and what cannot be judged', async () => {
    await sister.stop();
    await ownedBy('world_guide', { owner_pid: sister.pid });
    await ownedBy('shot_selection', { owner_pid: deadPid, owner_host: 'another host' });
    await ownedBy('entity_t2i', { owner_pid: deadPid, owner_host_id: 'kernel-2' });
    await ownedBy('scene_detail', { owner_host: null, owner_host_id: null, owner_boot_id: null, heartbeat_at: null });
    await ownedBy('shot_dependency_t2i', { owner_pid: null });
    await ownedBy('t2i_review', { owner_pid: sister.pid, heartbeat_at: 'yesterday' });
    const before = await episode.rows();
    for (const by of ['startup reclaim', 'sweep'] as const) expect(await reclaim(by)).toMatchObject({ reclaimed: [] });
    expect(await episode.rows()).toEqual(before);
    expect(told).toEqual([]);
    // Said once of each run, however often the sweep meets it.
    expect(worker.logged).toMatchObject([
      { level: 40, row: { step_id: 't2i_review' }, verdict: { verdict: 'unknown' } },
    ]);
  });

  it('finishes at the sweep a claim of its own whose answer was lost, and spares the runs that it holds', async () => {
    const own = { owner_boot_id: worker.identity.bootId, owner_pid: worker.identity.pid };
    await ownedBy('world_guide', own);
    await ownedBy('shot_selection', own);
    await ownedBy('entity_t2i', own);
    const held = (step: StepId) => ({
      ...episode.key(step),
      runId: `run of ${step}`,
      bootId: worker.identity.bootId,
      workflowRunId: null,
    });
    worker.registry.register(held('shot_selection'));
    worker.registry.register(held('entity_t2i'));
    worker.registry.hold('run of entity_t2i');
    expect(await reclaim('startup reclaim')).toMatchObject({ reclaimed: [] });
    expect(await reclaim('sweep')).toMatchObject({ reclaimed: [{ step_id: 'world_guide' }] });
    expect((await episode.rows()).map((row) => [row.step_id, row.status])).toEqual([
      ['entity_t2i', 'running'],
      ['shot_selection', 'running'],
      ['world_guide', 'failed'],
    ]);
  });

  it('counts one death once, however many look at once', async () => {
    await ownedBy('world_guide', { owner_pid: deadPid });
    const lookers = Array.from({ length: 6 }, () =>
      openTestWorker(database.db, { identity: { host: worker.identity.host } }),
    );
    await Promise.all(lookers.map((one) => reclaim('sweep', one)));
    expect(await episode.row('world_guide')).toMatchObject({
      status: 'failed',
      recovery_count: 1,
      barren_takeovers: 1,
    });
    expect(told).toHaveLength(1);
  });

  it.each([
    ['completed', "status = 'completed'", { status: 'completed' }],
    ['taken by another', "run_id = 'heir', owner_boot_id = 'heir'", { status: 'running', run_id: 'heir' }],
    ['beaten', "heartbeat_at = '2026-03-25T04:12:12Z'", { status: 'running' }],
  ])('spares a row that was %s between its read and its write', async (_what, change, after) => {
    await ownedBy('world_guide', { owner_pid: deadPid });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(`UPDATE step_run SET ${change} WHERE project_id = $1`, [episode.projectId]);
      const running = reclaim('sweep');
      await eventually('the sweep waits for the row', async () => {
        const blocked = await other.query(
          'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))',
        );
        return blocked.rowCount! > 0;
      });
      await other.query('COMMIT');
      expect(await running).toMatchObject({ reclaimed: [], left: 1 });
      expect(await episode.row('world_guide')).toMatchObject({ ...after, recovery_count: 0 });
      expect(told).toEqual([]);
    } finally {
      await other.end();
    }
  });

  it('passes by a row that somebody holds: the others are reclaimed, and the next sweep finishes', async () => {
    await ownedBy('world_guide', { owner_pid: deadPid });
    await ownedBy('shot_selection', { owner_pid: deadPid });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(`SELECT 1 FROM step_run WHERE project_id = $1 AND step_id = 'shot_selection' FOR UPDATE`, [
        episode.projectId,
      ]);
      expect(await reclaim('startup reclaim')).toMatchObject({ reclaimed: [{ step_id: 'world_guide' }], left: 1 });
      await other.query('ROLLBACK');
      expect(await reclaim('sweep')).toMatchObject({ reclaimed: [{ step_id: 'shot_selection' }], left: 0 });
    } finally {
      await other.end();
    }
  });

  it('sweeps one after the other, goes on after a failed sweep, and ends when it is stopped', async () => {
    let [sweeps, atOnce, most] = [0, 0, 0];
    const sweep = new Sweep({
      sweepSeconds: 0.01,
      log: worker.deps.log,
      sweep: async () => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await database.db.selectFrom('run').select('state').execute();
        atOnce -= 1;
        sweeps += 1;
        if (sweeps === 1) throw new Error('the database is away');
      },
    });
    sweep.start();
    await eventually('three sweeps are done', () => sweeps >= 3);
    await sweep.stop();
    const done = sweeps;
    await database.db.selectFrom('run').select('state').execute();
    expect([sweeps, most, worker.logged.filter((line) => line.msg.startsWith('a sweep failed')).length]).toEqual([
      done,
      1,
      1,
    ]);
  });
});
