import { releaseBody } from '../../src/bodies/release';
import type { StepRun } from '../../src/db/tables';
import { readLocks } from '../../src/operations/locks';
import { release } from '../../src/operations/release';
import type { ReleaseRequest } from '../../src/operations/contract';
import type { OperationDependencies } from '../../src/operations/dependencies';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { FREE_PROVIDER } from '../support/free-provider';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type TestWorker } from '../support/test-worker';
import { insertRowsBefore010 } from '../support/rows-before-010';
import { startSleepingProcess, type SleepingProcess } from '../support/sleeping-process';

const LONG_AGO = '2026-03-25T04:12:11Z';
const STEP = 'world_guide';

describe('release and locks', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let cli: TestWorker;
  let sister: SleepingProcess;
  let told: string[];
  /** False: Temporal is out of reach. */
  let heard: boolean;
  let slept: number;
  /** What happens at the first second of watching. */
  let whileWatching: () => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabase();
    sister = await startSleepingProcess();
  });
  afterAll(async () => {
    await sister.kill();
    await database.drop();
  });
  beforeEach(async () => {
    told = [];
    heard = true;
    slept = 0;
    whileWatching = () => Promise.resolve();
    episode = await createTestEpisode(database.db);
    cli = openTestWorker(database.db);
  });

  const deps = (): OperationDependencies => ({
    ...cli.deps,
    role: 'cli',
    temporalUi: undefined,
    ...FREE_PROVIDER,
    temporal: {
      client: undefined as never,
      tell: async (row, reason) => heard && told.push(`${row.step_id}: ${reason}`) > 0,
    },
    sleep: async (ms) => {
      slept += ms;
      if (slept === 1_000) await whileWatching();
    },
  });
  const ask = (request: Partial<ReleaseRequest> = {}) =>
    release(deps(), { projectId: episode.projectId, episodeId: 'e1', stepId: STEP, by: 'operator', ...request });
  const now = async () => (await readLocks(deps(), { projectId: episode.projectId })).now;
  const held = async (owner: Partial<StepRun> = {}) =>
    episode.insert(STEP, {
      status: 'running',
      run_id: 'held-run',
      owner_host: 'elsewhere',
      owner_pid: 42,
      owner_boot_id: 'other',
      started_at: LONG_AGO,
      heartbeat_at: LONG_AGO,
      ...owner,
    });
  const refused = async (request: Partial<ReleaseRequest>, code: string, says = '') => {
    const before = await episode.everything();
    await expect(ask(request)).rejects.toMatchObject({ code, message: expect.stringContaining(says) });
    expect(await episode.everything()).toEqual(before);
    expect(told).toEqual([]);
  };
  const audits = async () =>
    (await episode.everything()).audit!.map((one) => (one as { row: Record<string, unknown> }).row);

  it('frees the row of a gone process of this host at once: failed, counted, audited, and Temporal is told', async () => {
    await held({ owner_host: cli.identity.host, owner_pid: 4_000_000 });
    expect(await ask()).toMatchObject({ released: true, verdict: 'dead', branch: 3 });
    expect(slept).toBe(0);
    expect(await episode.row(STEP)).toMatchObject({
      status: 'failed',
      recovery_count: 1,
      run_id: 'held-run',
      last_recovery_reason: expect.stringContaining('is gone'),
    });
    expect(await audits()).toMatchObject([
      { act: 'release', by: 'operator', verdict: 'dead', forced: false, step_id: STEP, run_id: 'held-run' },
    ]);
    expect(told).toHaveLength(1);
  });

  it('frees the row although Temporal does not hear of it, and says so', async () => {
    heard = false;
    await held({ owner_host: cli.identity.host, owner_pid: 4_000_000 });
    const released = await ask();
    expect(releaseBody.parse(released)).toMatchObject({ released: true, warning: expect.stringContaining('not told') });
    expect((await episode.row(STEP)).status).toBe('failed');
  });

  it.each([
    ['an attempt waits for it', 'dG9rZW4=', true],
    ['no attempt waits for it', null, false],
  ])('without Temporal warns only where %s', async (_what, token, warns) => {
    const { workflowId } = episode;
    await held({
      owner_host: cli.identity.host,
      owner_pid: 4_000_000,
      workflow_id: workflowId,
      activity_task_token: token,
    });
    const alone = { ...deps(), temporal: null };
    const released = await release(alone, {
      projectId: episode.projectId,
      episodeId: 'e1',
      stepId: STEP,
      by: 'operator',
    });
    expect(released.warning !== undefined).toBe(warns);
  });

  it('of a death by heartbeat watches the row for an interval first, and says so', async () => {
    await held();
    const said: string[] = [];
    await ask({ say: (line) => void said.push(line) });
    expect([slept, said]).toEqual([30_000, [expect.stringContaining('watching it for 30 s')]]);
    expect(await episode.row(STEP)).toMatchObject({ status: 'failed' });
  });

  it('spares an owner that beats while it is watched: after an outage every heartbeat looks old', async () => {
    await held();
    whileWatching = async () => episode.patch(STEP, { heartbeat_at: await now() });
    await expect(ask()).rejects.toMatchObject({ code: 'step.owner_alive' });
    expect(await episode.row(STEP)).toMatchObject({ status: 'running' });
  });

  it.each([
    ['taken by another', { run_id: 'heir', heartbeat_at: '2026-03-25T04:12:12Z' }, 'step.owner_alive'],
    ['ended', { status: 'completed' }, 'step.not_running'],
  ])('changes nothing where the row was %s while it was watched', async (_what, change, code) => {
    await held();
    whileWatching = () => episode.patch(STEP, change);
    await expect(ask()).rejects.toMatchObject({ code });
    expect(await episode.row(STEP)).toMatchObject({ status: 'running', ...change, recovery_count: 0 });
    expect(await audits()).toEqual([]);
  });

  it('of an owner that lives is refused, forced or not, naming host and pid', async () => {
    await held({ owner_host: cli.identity.host, owner_pid: sister.pid, heartbeat_at: await now() });
    await refused({}, 'step.owner_alive', `process ${sister.pid} on ${cli.identity.host}`);
    await refused({ force: true, reason: 'I ended it', runId: 'held-run' }, 'step.owner_alive', 'End it first');
  });

  it('of an owner on another host that beats is refused, and with force and a reason obeyed and audited as forced', async () => {
    await held({ heartbeat_at: await now() });
    await refused({}, 'step.owner_alive', '--force');
    expect(await ask({ force: true, reason: 'I pulled its plug\u0000', runId: 'held-run' })).toMatchObject({
      verdict: 'alive',
      branch: 5,
    });
    expect(await episode.row(STEP)).toMatchObject({
      status: 'failed',
      last_recovery_reason: 'I pulled its plug\uFFFD',
    });
    expect(await audits()).toMatchObject([{ forced: true, verdict: 'alive', reason: 'I pulled its plug\uFFFD' }]);
  });

  it('of an owner that cannot be judged is refused, and with force obeyed', async () => {
    await held({ heartbeat_at: 'yesterday' });
    await refused({}, 'step.resume_blocked');
    expect(await ask({ force: true, reason: 'gone', runId: 'held-run' })).toMatchObject({ verdict: 'unknown' });
  });

  it('forced needs a reason and the run that the operator saw; another one in the row is spared', async () => {
    await held({ heartbeat_at: await now() });
    await refused({ force: true, runId: 'held-run' }, 'input.invalid', 'reason');
    await refused({ force: true, reason: ' ', runId: 'held-run' }, 'input.invalid', 'reason');
    await refused({ force: true, reason: 'gone' }, 'input.invalid', 'held-run');
    await refused({ force: true, reason: 'gone', runId: 'seen-before' }, 'step.state_changed', 'held-run');
  });

  it('of a row from before ownership, without a run id, goes by its row id', async () => {
    await episode.insert(STEP, {
      id: `legacy-${episode.projectId}`,
      status: 'running',
      run_id: null,
      started_at: await now(),
    });
    await refused({}, 'step.owner_alive');
    await refused({ force: true, reason: 'gone', runId: 'null' }, 'step.state_changed');
    await ask({
      force: true,
      reason: 'gone',
      rowId: `legacy-${episode.projectId}`,
      runId: `legacy-${episode.projectId}`,
    });
    expect(await episode.row(STEP)).toMatchObject({ status: 'failed' });
  });

  it('of what does not run is refused', async () => {
    await refused({}, 'step.not_running');
    await episode.insert(STEP, { status: 'completed' });
    await refused({}, 'step.not_running', 'completed');
    await refused({ force: true, reason: 'gone', runId: 'x' }, 'step.not_running');
  });

  it('names one row, or none is touched', async () => {
    await held();
    for (const stepId of [undefined, STEP])
      await expect(release(deps(), { by: 'operator', ...(stepId ? { stepId } : {}) })).rejects.toMatchObject({
        code: 'input.invalid',
      });
    expect(await episode.row(STEP)).toMatchObject({ status: 'running' });
  });

  it("shows every running row with verdict, branch and ages through this process's eyes, and changes none", async () => {
    await insertRowsBefore010(database.db);
    await held();
    await episode.insert('shot_selection', { status: 'completed' });
    const before = await episode.rows();
    const { locks, seenBy } = await readLocks(deps(), {});
    expect(seenBy).toEqual({ role: 'cli', host: cli.identity.host, pid: cli.identity.pid });
    const legacy = locks.filter((lock) => lock.projectId === 'legacy');
    expect(legacy).toHaveLength(14);
    for (const lock of legacy)
      expect(lock).toMatchObject({
        owner: null,
        branch: 6,
        proof: 'legacy_timeout',
        verdict: lock.ages.startedSeconds === null ? 'unknown' : 'dead',
      });
    expect(legacy.filter((lock) => lock.verdict === 'unknown')).toHaveLength(5);
    expect(locks.filter((lock) => lock.projectId === episode.projectId)).toMatchObject([
      { stepId: STEP, verdict: 'dead', branch: 5, owner: { host: 'elsewhere', pid: 42 } },
    ]);
    expect(await episode.rows()).toEqual(before);
  });

  it('sees its own claim as alive only with the registry that holds it: another process goes by the heartbeat', async () => {
    const own = openTestWorker(database.db);
    const inHand = own.buyer.hold('all');
    const attempt = own.attempt(episode, STEP);
    const call = await inHand;
    const seen = async (by: TestWorker) =>
      (await readLocks({ ...by.deps, role: 'worker' }, { projectId: episode.projectId })).locks[0];
    expect(await seen(own)).toMatchObject({ verdict: 'alive', branch: 2 });
    expect(await seen(cli)).toMatchObject({ verdict: 'alive', branch: 5 });
    call.answer();
    await attempt;
    expect(await seen(cli)).toBeUndefined();
  });
});
