import type { Held } from '../../src/ledger/held';
import { costOf } from '../../src/purchases/cost-of';
import { insertSent } from '../../src/purchases/insert-sent';
import { idempotencyKeyOf, requestHashOf } from '../../src/purchases/request-key';
import { settleByHand } from '../../src/purchases/settle-by-hand';
import type { StepCall } from '../../src/pipeline/definition';
import {
  contextOf,
  holdStep,
  httpProviderOf,
  imageCall,
  openBench,
  openRun,
  rowsOf,
  steal,
  textCall,
  type Bench,
} from '../support/buying';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider';

const GONE_PID = 7_654_321;

describe('a call that may have been charged', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let bench: Bench;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    fake = await startFakeProvider();
    bench = await openBench(database.db, httpProviderOf(fake));
  });
  afterEach(async () => {
    await fake.close();
    await bench.close();
  });

  /** What a process leaves that was killed right after it committed `sent`. */
  async function leaveSent(
    held: Held,
    call: StepCall,
    owner: { pid: number; host?: string; hostId?: string; withinMs?: number; keyHonoured?: boolean },
  ) {
    const key = {
      projectId: held.projectId,
      episodeId: held.episodeId,
      stepId: held.stepId,
      requestHash: requestHashOf(call.request),
      generation: 0,
    };
    const purchase = {
      id: `left-${held.runId}`,
      key,
      itemId: call.items.join(','),
      provider: 'http',
      model: call.request.model,
      estimateUsd: 0.04,
      idempotencyKey: idempotencyKeyOf(key, 0),
      keyHonoured: owner.keyHonoured ?? false,
      answerWithinMs: owner.withinMs ?? 3_600_000,
    };
    const identity = {
      host: owner.host ?? 'studio',
      pid: owner.pid,
      bootId: held.bootId,
      hostId: owner.hostId ?? 'kernel-1',
    };
    await database.db.transaction().execute((tx) => insertSent(tx, purchase, held, identity));
    return { id: purchase.id, successor: await steal(database.db, held, 'boot-b') };
  }

  const statuses = async (held: Held) => (await rowsOf(database.db, held)).map((row) => row.status);

  it('is in doubt at once when its process is gone; text is bought again, and the old estimate stays at risk', async () => {
    const { successor } = await leaveSent(await holdStep(database.db), textCall('scene-1'), { pid: GONE_PID });
    const outcome = await bench.worker({ bootId: 'boot-b' }).buy(contextOf(successor), textCall('scene-1'));
    expect(outcome).toMatchObject({ outcome: 'bought' });
    expect(await statuses(successor)).toEqual(['closed', 'settled']);
    const [cost] = await costOf(database.db, successor.projectId, 'e1');
    expect(cost).toMatchObject({ atRiskUsd: 0.04, inDoubt: 0, open: 0 });
    expect(cost!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });

  it('asks about an image, and sends nothing', async () => {
    const { id, successor } = await leaveSent(await holdStep(database.db), imageCall('shot-1'), { pid: GONE_PID });
    const outcome = await bench.worker({ bootId: 'boot-b' }).buy(contextOf(successor), imageCall('shot-1'));
    expect(outcome).toMatchObject({ outcome: 'in_doubt', purchaseId: id });
    expect(fake.seen).toHaveLength(0);
  });

  it.each([
    ['on this host by a pid that lives', { pid: process.pid }],
    ['on another host', { pid: GONE_PID, host: 'elsewhere' }],
    ['in a container of the same name with another fingerprint', { pid: GONE_PID, hostId: 'kernel-2' }],
  ])('is waited for while it was sent %s and its deadline has not passed', async (_where, owner) => {
    const { id, successor } = await leaveSent(await holdStep(database.db), textCall('scene-1'), owner);
    let asked = 0;
    const safePoint = () => Promise.resolve((asked += 1) > 3 ? ({ why: 'handed_back', cause: 'test' } as const) : null);
    const outcome = await bench
      .worker({ bootId: 'boot-b' })
      .buy(contextOf(successor, { safePoint }), textCall('scene-1'));
    expect(outcome).toMatchObject({ outcome: 'stopped', stop: { why: 'handed_back' } });
    expect(await rowsOf(database.db, successor)).toMatchObject([{ id, status: 'sent' }]);
    expect(fake.seen).toHaveLength(0);
  });

  it('is in doubt, wherever it was sent, once send window and deadline have passed', async () => {
    const { successor } = await leaveSent(await holdStep(database.db), textCall('scene-1'), {
      pid: 1,
      host: 'elsewhere',
      withinMs: 0,
    });
    expect(await bench.worker({ bootId: 'boot-b' }).buy(contextOf(successor), textCall('scene-1'))).toMatchObject({
      outcome: 'bought',
    });
    expect(await statuses(successor)).toEqual(['closed', 'settled']);
  });

  it('is sent again without waiting under a key that the provider honours, and charged once', async () => {
    await fake.close();
    fake = await startFakeProvider({ honoursKeys: true });
    const provider = httpProviderOf(fake, { honoursIdempotencyKey: true });
    const call = imageCall('shot-1');
    const { successor } = await leaveSent(await holdStep(database.db), call, {
      pid: 1,
      host: 'elsewhere',
      keyHonoured: true,
    });
    const outcome = await bench
      .worker({ bootId: 'boot-b', providerFor: () => provider })
      .buy(contextOf(successor), call);
    expect(outcome).toMatchObject({ outcome: 'bought' });
    const rows = await rowsOf(database.db, successor);
    expect(rows.map((row) => row.status)).toEqual(['closed', 'settled']);
    expect(fake.seen.map((request) => request.key)).toEqual([rows[0]!.idempotency_key]);
    expect(bench.slept).toEqual([]);
    const [cost] = await costOf(database.db, successor.projectId, 'e1');
    expect(cost).toMatchObject({ atRiskUsd: 0, inDoubt: 0 });
    expect(cost!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });

  it.each(['cut', 'cut_in_body', 'html'] as const)(
    'is an image whose reply is lost (%s): one request, in doubt, asked about',
    async (fault) => {
      const held = await holdStep(database.db);
      fake.fail({ fault });
      const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
      expect(outcome).toMatchObject({ outcome: 'in_doubt' });
      expect(await statuses(held)).toEqual(['in_doubt']);
      expect(fake.seen).toHaveLength(1);
      expect((await costOf(database.db, held.projectId, 'e1'))[0]).toMatchObject({
        inDoubt: 1,
        costUsd: 0,
        atRiskUsd: 0.04,
      });
    },
  );

  it('is text that is lost twice: it is not sent a third time in one go, and both stay counted', async () => {
    const held = await holdStep(database.db);
    fake.failAll({ fault: 'cut' });
    expect(await bench.worker().buy(contextOf(held), textCall('scene-1'))).toMatchObject({ outcome: 'in_doubt' });
    expect(await statuses(held)).toEqual(['closed', 'in_doubt']);
    expect(fake.seen).toHaveLength(2);
    expect(fake.seen[0]!.key).toBe(fake.seen[1]!.key);
  });

  it('is bought again by the next run once an operator says so, and closed by that', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'cut' });
    const asked = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    const id = asked.outcome === 'in_doubt' ? asked.purchaseId : '';
    expect(await settleByHand(database.db, id, 'buy-again', 'ada')).toMatchObject({ changed: true });
    expect(await settleByHand(database.db, id, 'buy-again', 'ada')).toMatchObject({ changed: false });
    const next = { ...(await steal(database.db, held, 'boot-a')), workflowRunId: 'next-run' };
    await openRun(database.db, next);
    expect(await bench.worker().buy(contextOf(next), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect(await statuses(held)).toEqual(['closed', 'settled']);
    const audit = await database.db.selectFrom('audit').selectAll().where('project_id', '=', held.projectId).execute();
    expect(audit).toMatchObject([{ by: 'ada', act: 'purchase.buy-again' }]);
  });

  it('fails its item once an operator gives it up; only a newer generation asks it again', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'cut' });
    const asked = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    await settleByHand(database.db, asked.outcome === 'in_doubt' ? asked.purchaseId : '', 'give-up', 'ada');
    const again = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(again).toMatchObject({ outcome: 'item_failed', code: 'purchase.given_up' });
    expect(fake.seen).toHaveLength(1);
    expect(await bench.worker().buy(contextOf(held, { generation: 1 }), imageCall('shot-1'))).toMatchObject({
      outcome: 'bought',
    });
  });

  it('cannot be settled by hand when it is none, or not in doubt', async () => {
    const held = await holdStep(database.db);
    await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    const [settled] = await rowsOf(database.db, held);
    await expect(settleByHand(database.db, settled!.id, 'give-up', 'ada')).rejects.toMatchObject({
      code: 'purchase.not_in_doubt',
    });
    await expect(settleByHand(database.db, 'nothing', 'give-up', 'ada')).rejects.toMatchObject({
      code: 'purchase.unknown',
    });
    expect((await rowsOf(database.db, held))[0]).toEqual(settled);
  });
});
