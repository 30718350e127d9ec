import type { Insertable } from 'kysely';
import { purchasesBody } from '../../src/bodies/purchases';
import { statusBody } from '../../src/bodies/status';
import type { PurchaseTable, StepRunTable } from '../../src/db/tables';
import { STEP_IDS } from '../../src/domain/steps';
import { episodeIdsOf } from '../../src/operations/queries/episode-ids';
import { ledgerFigures } from '../../src/operations/queries/ledger-figures';
import { readPurchases } from '../../src/operations/queries/purchases';
import { readStatus } from '../../src/operations/queries/status';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An episode of its own for each test. */
const fresh = () => ({ projectId: 'p', episodeId: `e${(serial += 1)}` });

async function addRow(
  episode: { projectId: string | null; episodeId: string | null },
  stepId: string,
  columns: Partial<Insertable<StepRunTable>> = {},
) {
  const at = '2026-03-25T04:12:11.000000Z';
  await database.db
    .insertInto('step_run')
    .values({
      id: `row-${(serial += 1)}`,
      project_id: episode.projectId,
      episode_id: episode.episodeId,
      step_id: stepId,
      status: 'pending',
      recovery_count: 0,
      created_at: at,
      updated_at: at,
      ...columns,
    })
    .execute();
}

async function addPurchase(
  episode: { projectId: string; episodeId: string },
  columns: Partial<Insertable<PurchaseTable>> = {},
) {
  const id = `purchase-${(serial += 1)}`;
  await database.db
    .insertInto('purchase')
    .values({
      id,
      project_id: episode.projectId,
      episode_id: episode.episodeId,
      step_id: 'scene_detail',
      item_id: 's1',
      provider: 'offline',
      model: 'm',
      request_hash: id,
      generation: 0,
      status: 'settled',
      run_id: 'r',
      owner_host: 'h',
      owner_pid: 1,
      owner_boot_id: 'b',
      estimated_cost_usd: '0.05',
      cost_usd: '0.04',
      idempotency_key: id,
      key_honoured: false,
      sent_at: '2026-03-25T04:12:11.000000Z',
      deadline_at: '2999-01-01T00:00:00.000000Z',
      ...columns,
    })
    .execute();
  return id;
}

async function addRun(
  episode: { projectId: string; episodeId: string },
  columns: { workflow_run_id: string; opened_at: string; state: string; ended_at: string | null },
) {
  await database.db
    .insertInto('run')
    .values({
      ...columns,
      workflow_id: `episode/${episode.projectId}/${episode.episodeId}`,
      project_id: episode.projectId,
      episode_id: episode.episodeId,
      request_id: columns.workflow_run_id,
      chosen: '[]',
      force: '[]',
      items: '{}',
      screenplay_version: 1,
      accepted_at: columns.opened_at,
    })
    .execute();
}

describe('status', () => {
  test('nothing at all bears the id: episode.unknown', async () => {
    await expect(readStatus(database.db, fresh())).rejects.toMatchObject({ code: 'episode.unknown' });
  });

  test('all nine steps in order, also those without a row, and its body is the one body', async () => {
    const episode = fresh();
    await addRow(episode, 'world_guide', { status: 'completed', applicable_count: 1, completed_count: 1 });
    const { body } = await readStatus(database.db, episode);
    expect(statusBody.parse(body)).toEqual(body);
    expect(body.steps.map((step) => step.stepId)).toEqual([...STEP_IDS]);
    expect(body.steps.map((step) => step.status)).toEqual(['completed', ...Array<string>(8).fill('pending')]);
    expect(body.state).toBe('pending');
  });

  test('a row from before ownership, with NULLs and a time that is none, breaks nothing and is shown as it stands', async () => {
    const episode = fresh();
    await addRow(episode, 'scene_detail', {
      status: 'running',
      started_at: 'foo 1',
      completed_count: null,
      failed_count: null,
    });
    await addRow(episode, 'entity_t2i', {
      status: 'running',
      owner_host: 'h',
      heartbeat_at: '2026-03-25 04:12:11.123456+00',
    });
    const { body } = await readStatus(database.db, episode);
    expect(body.state).toBe('running');
    expect(body.steps.find((step) => step.stepId === 'scene_detail')).toMatchObject({
      owner: null,
      startedAt: 'foo 1',
      completedCount: 0,
      failedCount: 0,
      runId: null,
    });
    expect(body.steps.find((step) => step.stepId === 'entity_t2i')).toMatchObject({
      owner: { host: 'h', hostId: null, pid: null, bootId: null },
      heartbeatAt: '2026-03-25 04:12:11.123456+00',
    });
  });

  test('ids of 256 odd characters are read, of episodes without a record; steps that nobody knows come last', async () => {
    const odd = { projectId: `${'프'.repeat(200)}';--`, episodeId: `../${'x'.repeat(253)}` };
    const step = `~${'z'.repeat(255)}`;
    await addRow(odd, step, { status: 'failed', error_message: 'old' });
    const { body, title } = await readStatus(database.db, odd);
    expect(title).toBeNull();
    expect(body.steps.at(-1)).toMatchObject({ stepId: step, status: 'failed' });
    expect(body.state).toBe('failed');
  });

  test('calls, dollars and doubts of each step; what certainly was not charged is no call, what may have been is no cost', async () => {
    const episode = fresh();
    for (const columns of [
      {},
      { status: 'invalid', cost_usd: '0.10' },
      { status: 'failed', cost_usd: null },
      { status: 'in_doubt', cost_usd: null },
      { status: 'sent', cost_usd: null },
      { step_id: 'entity_t2i', cost_usd: '0.000001' },
    ])
      await addPurchase(episode, columns);
    const { body } = await readStatus(database.db, episode);
    expect(body.steps.find((step) => step.stepId === 'scene_detail')).toMatchObject({
      calls: 4,
      costUsd: 0.14,
      inDoubt: 1,
      atRiskUsd: 0.05,
    });
    expect(body).toMatchObject({ costUsd: 0.140001, inDoubt: 1, atRiskUsd: 0.05 });
  });

  test('a closed purchase that may have been charged is at risk though nothing is in doubt; one charged with its successor is not', async () => {
    const [episode, bystander] = [fresh(), fresh()];
    await addPurchase(episode, { status: 'closed', cost_usd: null });
    const under = { step_id: 'entity_t2i', request_hash: 'r', idempotency_key: 'k', key_honoured: true };
    await addPurchase(episode, { ...under, status: 'closed', cost_usd: null });
    await addPurchase(episode, under);
    await addPurchase(bystander);
    const { body } = await readStatus(database.db, episode);
    expect(statusBody.parse(body)).toEqual(body);
    expect(body).toMatchObject({ costUsd: 0.04, inDoubt: 0, atRiskUsd: 0.05 });
    const atRisk = body.steps.filter((step) => step.atRiskUsd > 0).map((step) => [step.stepId, step.atRiskUsd]);
    expect(atRisk).toEqual([['scene_detail', 0.05]]);
    expect((await readStatus(database.db, bystander)).body.atRiskUsd).toBe(0);
  });

  test('the open run is shown, however many ended later; another episode is unaffected', async () => {
    const [episode, bystander] = [fresh(), fresh()];
    await addRow(bystander, 'world_guide', { status: 'completed' });
    await addRun(episode, {
      workflow_run_id: 'open-1',
      opened_at: '2026-01-01T00:00:00.000000Z',
      state: 'open',
      ended_at: null,
    });
    await addRun(episode, {
      workflow_run_id: 'ended-1',
      opened_at: '2026-02-01T00:00:00.000000Z',
      state: 'failed',
      ended_at: '2026-02-02T00:00:00.000000Z',
    });
    const { body } = await readStatus(database.db, episode, { url: 'http://127.0.0.1:8233/', namespace: 'cameras' });
    expect(body).toMatchObject({
      state: 'running',
      workflow: {
        runId: 'open-1',
        url: `http://127.0.0.1:8233/namespaces/cameras/workflows/episode%2Fp%2F${episode.episodeId}/open-1/history`,
      },
    });
    expect((await readStatus(database.db, bystander)).body).toMatchObject({ state: 'pending', workflow: null });
  });

  test('reading changes no row', async () => {
    const episode = fresh();
    await addRow(episode, 'world_guide', { status: 'running' });
    const rows = () =>
      database.db.selectFrom('step_run').selectAll().where('episode_id', '=', episode.episodeId).execute();
    const before = await rows();
    await readStatus(database.db, episode);
    expect(await rows()).toEqual(before);
  });
});

test('the episodes of a project are those with a record and those of rows only, each once; rows without an episode are none', async () => {
  const projectId = 'listing';
  await database.db
    .insertInto('episode')
    .values({
      project_id: projectId,
      episode_id: 'a',
      title: 'A',
      screenplay: 'x',
      screenplay_version: 1,
      screenplay_hash: 'h',
    })
    .execute();
  await addRow({ projectId, episodeId: 'a' }, 'world_guide');
  await addRow({ projectId, episodeId: 'old' }, 'world_guide');
  await addRow({ projectId, episodeId: null }, 'world_guide');
  expect(await episodeIdsOf(database.db, projectId)).toEqual(['a', 'old']);
});

test('purchases in order with what they cost for certain, and what is at risk; only the undecided ones where asked', async () => {
  const episode = fresh();
  const settled = await addPurchase(episode);
  const doubtful = await addPurchase(episode, { status: 'in_doubt', cost_usd: null });
  const decided = await addPurchase(episode, { status: 'in_doubt', cost_usd: null, settled_by_operator: 'buy-again' });
  const all = await readPurchases(database.db, episode);
  expect(purchasesBody.parse(all)).toEqual(all);
  expect(all.purchases.map((purchase) => purchase.id)).toEqual([settled, doubtful, decided]);
  expect(all).toMatchObject({ costUsd: 0.04, atRiskUsd: 0.1 });
  const undecided = await readPurchases(database.db, episode, { inDoubtOnly: true });
  expect(undecided.purchases.map((purchase) => purchase.id)).toEqual([doubtful]);
  expect(undecided).toMatchObject({ costUsd: 0, atRiskUsd: 0.05 });
});

test('an open purchase beyond its deadline is at risk among the purchases, as in the status; one that is awaited is not', async () => {
  const episode = fresh();
  await addPurchase(episode, { status: 'sent', cost_usd: null, deadline_at: '2026-03-25T04:14:00.000000Z' });
  await addPurchase(episode, { status: 'sent', cost_usd: null, estimated_cost_usd: '0.50' });
  expect((await readPurchases(database.db, episode)).atRiskUsd).toBe(0.05);
  expect((await readStatus(database.db, episode)).body.atRiskUsd).toBe(0.05);
});

test('the dollars that /metrics has open are those that status and budget count: none of a closed call that its successor was charged for', async () => {
  const [episode, provider] = [fresh(), 'metered'];
  const under = { provider, request_hash: 'r', idempotency_key: 'k', key_honoured: true };
  const figures = async () =>
    Object.fromEntries(
      (await ledgerFigures(database.db)).purchases
        .filter((figure) => figure.provider === provider)
        .map(({ status, count, cost_usd, open_usd }) => [status, [count, cost_usd, open_usd]]),
    );
  await addPurchase(episode, { ...under, status: 'closed', cost_usd: null });
  await addPurchase(episode, { provider, status: 'sent', cost_usd: null, estimated_cost_usd: '0.50' });
  await addPurchase(episode, { provider, status: 'in_doubt', cost_usd: null, estimated_cost_usd: '0.25' });
  expect(await figures()).toEqual({ closed: [1, 0, 0.05], sent: [1, 0, 0.5], in_doubt: [1, 0, 0.25] });
  await addPurchase(episode, under);
  expect(await figures()).toMatchObject({ closed: [1, 0, 0], settled: [1, 0.04, 0] });
});
