import { randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import type { Insertable } from 'kysely';
import type { PurchaseTable, StepRunTable } from '../../src/db/tables';
import type { PurchaseBody } from '../../src/bodies/purchases';
import { createProcessIdentity } from '../../src/process-identity';
import { call } from '../http/call';
import { openHttp, type OpenHttp } from '../http/open-http';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';

/** Repair over HTTP: release and settle hit what they name, and nothing else (cases C12, C47). */
const OPERATOR = 'operator-token-0123456789';

let api: OpenHttp;
let episode: TestEpisode;
let base: string;
beforeAll(async () => {
  api = await openHttp({ tokens: [`hand:operator:${OPERATOR}`] });
});
afterAll(() => api.close());
beforeEach(async () => {
  episode = await createTestEpisode(api.db);
  base = `${api.url}/api/v1/projects/${episode.projectId}/episodes/${episode.episodeId}`;
});

const post = <T>(path: string, body?: unknown) => call<T>('POST', `${base}${path}`, { token: OPERATOR, body });
const isNow = async () =>
  (await api.db.selectNoFrom((eb) => eb.fn<string>('callsheet_now', []).as('now')).executeTakeFirstOrThrow()).now;

function heldBy(pid: number, heartbeatAt: string): Partial<Insertable<StepRunTable>> {
  const { hostId } = createProcessIdentity(os.hostname(), undefined);
  return {
    status: 'running',
    run_id: 'r1',
    owner_host: os.hostname(),
    owner_host_id: hostId,
    owner_pid: pid,
    owner_boot_id: 'another',
    started_at: heartbeatAt,
    heartbeat_at: heartbeatAt,
  };
}

test('the lock of a dead process is freed, and who did it and why is kept', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  await episode.insert('world_guide', heldBy(pid, await isNow()));
  const released = await post('/steps/world_guide/release', { reason: 'its machine is gone' });
  expect([released.status, released.body]).toEqual([
    200,
    { released: true, verdict: 'dead', branch: 3, reason: 'its machine is gone' },
  ]);
  expect(await episode.row('world_guide')).toMatchObject({
    status: 'failed',
    last_recovery_reason: 'its machine is gone',
    recovery_count: 1,
  });
  const audited = await api.db
    .selectFrom('audit')
    .selectAll()
    .where('project_id', '=', episode.projectId)
    .where('act', '=', 'release')
    .execute();
  expect(audited).toEqual([
    expect.objectContaining({
      by: 'api:hand',
      verdict: 'dead',
      forced: false,
      reason: 'its machine is gone',
      step_id: 'world_guide',
    }),
  ]);
});

test('the lock of a live process stays, by force as well, and the refusal shows whose it is', async () => {
  await episode.insert('world_guide', heldBy(process.pid, await isNow()));
  const before = await episode.row('world_guide');
  for (const body of [undefined, { force: true, reason: 'impatience', runId: 'r1' }]) {
    const refused = await post<{
      code: string;
      detail: string;
      lock: { owner: { pid: number }; runId: string; branch: number };
    }>('/steps/world_guide/release', body);
    expect([refused.status, refused.body.code, refused.body.lock.owner.pid, refused.body.lock.branch]).toEqual([
      409,
      'step.owner_alive',
      process.pid,
      4,
    ]);
    expect(refused.body.detail).toContain(String(process.pid));
  }
  expect(await episode.row('world_guide')).toEqual(before);
});

test('a forced release of a lock that has changed hands is refused with the row as it is', async () => {
  await episode.insert('world_guide', {
    status: 'running',
    run_id: 'r2',
    owner_host: 'elsewhere',
    owner_pid: 1,
    started_at: await isNow(),
    heartbeat_at: await isNow(),
  });
  const refused = await post<{ code: string; lock: { runId: string } }>('/steps/world_guide/release', {
    force: true,
    reason: 'ended',
    runId: 'r1',
  });
  expect([refused.status, refused.body.code, refused.body.lock.runId]).toEqual([409, 'step.state_changed', 'r2']);
  expect((await episode.row('world_guide')).status).toBe('running');
});

test('a step that does not run has no lock to free, and the refusal says so', async () => {
  await episode.insert('world_guide', { status: 'completed' });
  const refused = await post<{ code: string; lock: null }>('/steps/world_guide/release');
  expect([refused.status, refused.body.code, refused.body.lock]).toEqual([409, 'step.not_running', null]);
});

test('a purchase in doubt is settled through its own episode only, and only by a word that there is', async () => {
  const other = await createTestEpisode(api.db);
  const [mine, theirs] = [await inDoubt(episode), await inDoubt(other)];
  expect((await post<{ code: string }>(`/purchases/${theirs}/settle`, { decision: 'give-up' })).body.code).toBe(
    'purchase.unknown',
  );
  expect((await post<{ code: string }>(`/purchases/${mine}/settle`, { decision: 'keep' })).body.code).toBe(
    'input.invalid',
  );
  const settled = await post<PurchaseBody>(`/purchases/${mine}/settle`, { decision: 'give-up' });
  expect([settled.status, settled.body.id, settled.body.status]).toEqual([200, mine, 'closed']);
  const statuses = await api.db
    .selectFrom('purchase')
    .select(['id', 'status'])
    .where('id', 'in', [mine, theirs])
    .execute();
  expect(new Map(statuses.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [mine, 'closed'],
      [theirs, 'in_doubt'],
    ]),
  );
});

test('settings are replaced as a whole, and a cap is set; both are audited, and an unknown key changes nothing', async () => {
  const project = `${api.url}/api/v1/projects/${episode.projectId}`;
  const put = <T>(path: string, body: unknown) => call<T>('PUT', `${project}${path}`, { token: OPERATOR, body });
  await put('/config', { style: 'pencil', 'image.size': '640x360' });
  const replaced = await put<{ settings: Record<string, unknown> }>('/config', { style: 'charcoal' });
  expect(replaced.body.settings).toMatchObject({ style: 'charcoal', 'image.size': '1024x576' });
  expect((await put<{ code: string }>('/config', { colour: 'red' })).body.code).toBe('input.invalid');
  expect(
    (await call<{ settings: { style: string } }>('GET', `${project}/config`, { token: OPERATOR })).body.settings.style,
  ).toBe('charcoal');
  expect((await put<{ capUsd: number }>('/budget', { capUsd: 12.5 })).body).toMatchObject({
    capUsd: 12.5,
    committedUsd: 0,
  });
  expect((await put<{ code: string }>('/budget', { capUsd: -1 })).body.code).toBe('input.invalid');
  const acts = await api.db
    .selectFrom('audit')
    .select(['act', 'by'])
    .where('project_id', '=', episode.projectId)
    .orderBy('id')
    .execute();
  expect(acts.map(({ act, by }) => `${act} ${by}`)).toEqual([
    'config api:hand',
    'config api:hand',
    'budget.set api:hand',
  ]);
});

async function inDoubt({ projectId, episodeId }: TestEpisode): Promise<string> {
  const now = await isNow();
  const purchase: Insertable<PurchaseTable> = {
    id: randomUUID(),
    project_id: projectId,
    episode_id: episodeId,
    step_id: 'world_guide',
    item_id: 'all',
    provider: 'http',
    model: 'm',
    request_hash: randomUUID(),
    generation: 0,
    status: 'in_doubt',
    run_id: 'r1',
    owner_host: 'elsewhere',
    owner_pid: 1,
    owner_boot_id: 'b',
    estimated_cost_usd: '0.04',
    idempotency_key: randomUUID(),
    key_honoured: false,
    sent_at: now,
    deadline_at: now,
  };
  await api.db.insertInto('purchase').values(purchase).execute();
  return purchase.id;
}
