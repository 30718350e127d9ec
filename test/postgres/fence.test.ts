import { ALONE, decideStep } from '../../src/execution/decide-step';
import { claimStep } from '../../src/execution/claim-step';
import { readEpisodeView } from '../../src/execution/episode-view';
import { safePointOf } from '../../src/execution/safe-point';
import { reclaimDeadRows } from '../../src/execution/reclaim';
import { countItems } from '../../src/ledger/count-items';
import { endRow, type RowEnd } from '../../src/ledger/end-row';
import { lockHeldRow, shareHeldRow } from '../../src/ledger/fence';
import type { Held } from '../../src/ledger/held';
import type { Tx } from '../../src/db/pool';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type TestWorker } from '../support/test-worker';

const END: RowEnd = {
  status: 'completed',
  applicableCount: 1,
  completedCount: 1,
  failedCount: 0,
  errorMessage: null,
  resultSummary: null,
  resolvedModel: null,
  inputHash: null,
  upstreamRevision: null,
  recoveryReason: null,
};

const WRITES: readonly [string, (tx: Tx, held: Held) => Promise<boolean>][] = [
  ['the end of the row', (tx, held) => endRow(tx, held, END)],
  ['the counts', (tx, held) => countItems(tx, held, { applicable: 9, completed: 9, failed: 0, itemFinished: true })],
  ['the shared lock before a purchase', (tx, held) => shareHeldRow(tx, held)],
  ['the lock before a checkpoint', (tx, held) => lockHeldRow(tx, held)],
];

describe('the fence', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let held: Held;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db);
    const decision = await decideStep(
      worker.deps,
      await readEpisodeView(database.db, episode.projectId, 'e1'),
      'world_guide',
      ALONE('resume'),
    );
    const activity = {
      workflowId: episode.workflowId,
      workflowRunId: episode.runId,
      activityId: 'world_guide',
      taskToken: null,
    };
    const claimed = await claimStep(worker.deps, {
      key: episode.key('world_guide'),
      decision,
      activity,
      attempt: 1,
      force: null,
      dependents: null,
    });
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    held = claimed.held;
  });

  const LOSSES: readonly [string, () => Promise<unknown>][] = [
    [
      'another owner has stolen the row',
      () => episode.patch('world_guide', { run_id: 'thief', owner_boot_id: 'thief' }),
    ],
    ['another process has the row under the same run', () => episode.patch('world_guide', { owner_boot_id: 'thief' })],
    ['this process has the row for another run', () => episode.patch('world_guide', { run_id: 'sibling' })],
    ['the row was released and kept run and owner', () => episode.patch('world_guide', { status: 'failed' })],
    ['the row was ended by somebody else', () => episode.patch('world_guide', { status: 'completed' })],
    [
      'a sister reclaimed the row',
      async () => {
        const sister = openTestWorker(database.db, { identity: { host: worker.identity.host } });
        await episode.patch('world_guide', { owner_pid: 4_000_000 });
        await reclaimDeadRows(sister.deps, 'startup reclaim', () => Promise.resolve());
        expect((await episode.row('world_guide')).status).toBe('failed');
      },
    ],
  ];

  describe.each(LOSSES)('once %s', (_loss, lose) => {
    it.each(WRITES)('refuses %s and changes nothing', async (_write, write) => {
      await lose();
      const before = await episode.row('world_guide');
      expect(await database.db.transaction().execute((tx) => write(tx, held))).toBe(false);
      expect(await episode.row('world_guide')).toEqual(before);
    });

    it('says at the safe point that ownership is lost', async () => {
      await lose();
      expect(await safePointOf(worker.deps, held, () => null)()).toEqual({ why: 'ownership_lost' });
    });
  });

  it.each(WRITES)('lets the owner itself through: %s', async (_write, write) => {
    expect(await database.db.transaction().execute((tx) => write(tx, held))).toBe(true);
    expect(await safePointOf(worker.deps, { ...held, runId: 'other' }, () => null)()).toEqual({
      why: 'ownership_lost',
    });
  });

  it('keeps a thief waiting until the write that took the shared lock is committed', async () => {
    const order: string[] = [];
    let theft: Promise<void> = Promise.resolve();
    await database.db.transaction().execute(async (tx) => {
      expect(await shareHeldRow(tx, held)).toBe(true);
      theft = episode.patch('world_guide', { run_id: 'thief' }).then(() => void order.push('stolen'));
      await tx.selectFrom('step_run').select('id').execute();
      const waiting = await database.db
        .selectFrom('step_run')
        .select('run_id')
        .where('project_id', '=', episode.projectId)
        .executeTakeFirstOrThrow();
      expect(waiting.run_id).toBe(held.runId);
      order.push('written');
    });
    await theft;
    expect(order).toEqual(['written', 'stolen']);
  });
});
