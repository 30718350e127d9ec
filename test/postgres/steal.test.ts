import type { StepRun } from '../../src/db/tables';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type AttemptChanges, type TestWorker } from '../support/test-worker';

const LONG_AGO = '2026-03-25T04:12:11Z';
const STEP = 'world_guide';

/** The table of spec 15: what an attempt does when it finds the row running. */
describe('an attempt that finds the row running', () => {
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

  const now = async (): Promise<string> => {
    const clock = await database.db
      .selectFrom('run')
      .select((row) => row.fn<string>('callsheet_now', []).as('now'))
      .executeTakeFirstOrThrow();
    return clock.now;
  };
  const mine = () => ({ workflow_id: episode.workflowId, workflow_run_id: episode.runId, activity_id: STEP });
  const others = () => ({ workflow_id: 'episode/other', workflow_run_id: 'other', activity_id: STEP });
  const owned = async (whose: Partial<StepRun>, heartbeat: 'fresh' | 'old' | 'unreadable') =>
    episode.insert(STEP, {
      status: 'running',
      run_id: 'holder',
      owner_host: 'elsewhere',
      owner_pid: 7,
      owner_boot_id: 'holder',
      started_at: LONG_AGO,
      heartbeat_at: { fresh: await now(), old: LONG_AGO, unreadable: 'yesterday' }[heartbeat],
      ...whose,
    });
  const untouched = async (attempt: () => Promise<unknown>): Promise<unknown> => {
    const before = await episode.row(STEP);
    const outcome = await attempt();
    expect(await episode.row(STEP)).toEqual(before);
    expect(worker.buyer.sold).toEqual([]);
    expect(worker.registry.all()).toEqual([]);
    return outcome;
  };
  const attempt = (changes: AttemptChanges = {}) => worker.attempt(episode, STEP, { attempt: 2, ...changes });

  it('of an earlier attempt of its own that is dead, steals', async () => {
    await owned(mine(), 'old');
    expect(await attempt()).toMatchObject({ outcome: 'ended', status: 'completed' });
    expect(worker.logged).toContainEqual(
      expect.objectContaining({ level: 40, msg: 'stealing the step of a dead owner' }),
    );
  });

  it('of an earlier attempt of its own that lives, fails retryably and leaves it at work', async () => {
    await owned(mine(), 'fresh');
    expect(await untouched(attempt)).toMatchObject({ outcome: 'retry', code: 'step.already_running' });
  });

  it('of an earlier attempt of the run that this one was reset from, does the same', async () => {
    await owned({ ...mine(), workflow_run_id: 'before the reset' }, 'fresh');
    expect(await untouched(() => attempt({ resetFromRunId: 'before the reset' }))).toMatchObject({ outcome: 'retry' });
    expect(await untouched(attempt)).toMatchObject({ outcome: 'blocked' });
  });

  it.each(['mine', 'others'] as const)(
    'that cannot be judged (%s), is blocked and says so as a warning',
    async (whose) => {
      await owned(whose === 'mine' ? mine() : others(), 'unreadable');
      expect(await untouched(attempt)).toMatchObject({ outcome: 'blocked', code: 'step.resume_blocked' });
      expect(worker.logged).toContainEqual(
        expect.objectContaining({ level: 40, msg: 'a running row cannot be judged' }),
      );
    },
  );

  it('of any other run that lives, is refused for good, and the refusal is kept for the door that waits', async () => {
    await owned(others(), 'fresh');
    expect(await untouched(attempt)).toMatchObject({ outcome: 'blocked', code: 'step.already_running' });
    const { step_decision: kept } = await episode.everything();
    expect(kept).toMatchObject([{ row: { made_by: 'attempt', action: 'block', code: 'step.already_running' } }]);
  });

  it('of any other run that is dead, steals', async () => {
    await owned(others(), 'old');
    expect(await attempt()).toMatchObject({ outcome: 'ended', status: 'completed' });
  });

  it('that was announced dead, and lives for these eyes, tries again for at most a lease', async () => {
    await owned(others(), 'fresh');
    const announced = { announcedDeadRunId: 'holder' };
    expect(await untouched(() => attempt({ ...announced, waitedSeconds: 90 }))).toMatchObject({ outcome: 'retry' });
    expect(await untouched(() => attempt({ ...announced, waitedSeconds: 91 }))).toMatchObject({
      outcome: 'blocked',
      code: 'step.already_running',
    });
    expect(await untouched(() => attempt({ announcedDeadRunId: 'another' }))).toMatchObject({ outcome: 'blocked' });
  });

  it('that looks dead by its heartbeat, waits while this worker has not beaten long enough itself', async () => {
    await owned(others(), 'old');
    worker.mayAct = false;
    expect(await untouched(attempt)).toMatchObject({ outcome: 'retry', code: 'step.already_running' });
    worker.mayAct = true;
    expect(await attempt()).toMatchObject({ status: 'completed' });
  });

  it('of a process of this host that is gone, steals at once, with no need of beats of its own', async () => {
    await owned(
      { ...others(), owner_host: worker.identity.host, owner_host_id: 'kernel-1', owner_pid: 4_000_000 },
      'fresh',
    );
    worker.mayAct = false;
    expect(await attempt()).toMatchObject({ status: 'completed' });
  });

  it('of a container with the same host name and another fingerprint, waits out the lease though no such pid is here', async () => {
    await owned(
      { ...others(), owner_host: worker.identity.host, owner_host_id: 'kernel-2', owner_pid: 4_000_000 },
      'fresh',
    );
    expect(await untouched(attempt)).toMatchObject({ outcome: 'blocked', code: 'step.already_running' });
  });

  it('under its own boot id, lives while the registry holds the run, and is dead when it does not', async () => {
    const { bootId, host, pid } = worker.identity;
    await owned({ ...mine(), owner_host: host, owner_pid: pid, owner_boot_id: bootId }, 'old');
    worker.registry.register({ ...episode.key(STEP), runId: 'holder', bootId, workflowRunId: episode.runId });
    expect(await attempt()).toMatchObject({ outcome: 'retry' });
    worker.registry.drop('holder');
    worker.mayAct = false;
    expect(await attempt()).toMatchObject({ outcome: 'ended', status: 'completed' });
  });

  it('from before ownership, is judged by its age alone', async () => {
    await episode.insert(STEP, { status: 'running', run_id: null, started_at: await now() });
    expect(await untouched(attempt)).toMatchObject({ outcome: 'blocked', code: 'step.already_running' });
    await episode.patch(STEP, { started_at: '2026-03-25 04:12:11.123456' }); // no zone: never guessed
    expect(await untouched(attempt)).toMatchObject({ outcome: 'blocked', code: 'step.resume_blocked' });
    await episode.patch(STEP, { started_at: '2026-03-25 04:12:11.123456+00' });
    expect(await attempt()).toMatchObject({ status: 'completed' });
  });

  it.each(['completed', 'partial', 'cancelled', 'not_applicable'] as const)(
    'and ended by itself meanwhile as %s, reports that end and runs nothing',
    async (status) => {
      await episode.insert(STEP, { ...mine(), status, run_id: 'holder' });
      expect(await untouched(attempt)).toMatchObject({ outcome: 'ended', status, ran: true });
    },
  );

  it('and failed by a sweep meanwhile, runs', async () => {
    await episode.insert(STEP, { ...mine(), status: 'failed', run_id: 'holder', barren_takeovers: 1 });
    expect(await attempt()).toMatchObject({ outcome: 'ended', status: 'completed' });
  });

  describe('whose owners keep dying', () => {
    const die = async () => episode.patch(STEP, { status: 'running', heartbeat_at: LONG_AGO, owner_host: 'elsewhere' });
    const dying = (by: TestWorker) =>
      by.buyer.set('all', async () => {
        await die();
        return { outcome: 'stopped', stop: { why: 'ownership_lost' } }; // what a dead process does not say, says nothing
      });

    it('is taken over twice, and ends failed at the third, naming what was being bought', async () => {
      for (let owner = 0; owner < 3; owner += 1) {
        const one = openTestWorker(database.db);
        dying(one);
        await one.attempt(episode, STEP, { attempt: owner + 1 });
      }
      expect(await episode.row(STEP)).toMatchObject({ status: 'running', barren_takeovers: 2 });
      const outcome = await attempt({ attempt: 4 });
      expect(outcome).toMatchObject({ outcome: 'ended', status: 'failed', code: 'step.owner_died_repeatedly' });
      expect(await episode.row(STEP)).toMatchObject({
        status: 'failed',
        error_message: expect.stringContaining('step.owner_died_repeatedly'),
      });
      expect(worker.buyer.sold).toEqual([]);
    });

    it('counts anew once an item is finished', async () => {
      await owned(mine(), 'old');
      await episode.patch(STEP, { barren_takeovers: 2, heartbeat_at: LONG_AGO, status: 'failed' });
      const inHand = worker.buyer.hold('all');
      const running = attempt();
      (await inHand).answer();
      expect(await running).toMatchObject({ status: 'completed' });
      expect(await episode.row(STEP)).toMatchObject({ barren_takeovers: 0 });
    });

    it('does not count an item that failed as finished: it is asked again by every owner, and would hide the deaths', async () => {
      await owned({ ...mine(), barren_takeovers: 1, status: 'failed' }, 'old');
      worker.buyer.set('all', { outcome: 'item_failed', code: 'provider.refused', message: 'no' });
      expect(await attempt()).toMatchObject({ status: 'failed' });
      expect(await episode.row(STEP)).toMatchObject({ barren_takeovers: 1 });
    });
  });
});
