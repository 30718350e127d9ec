import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { planBody } from '../../src/bodies/plan';
import type { ProblemBody } from '../../src/bodies/problem';
import { purchasesBody } from '../../src/bodies/purchases';
import { runBody, type RunBody } from '../../src/bodies/run';
import { statusBody, type StatusBody } from '../../src/bodies/status';
import { ApiProcess } from '../http/api-process';
import { call, putScreenplay } from '../http/call';
import { EventReader } from '../http/event-reader';
import { eventually } from '../support/eventually';
import { NIGHT_BUS } from '../support/screenplays';
import { openWorld, type World } from '../support/world';

/** A program from elsewhere: it knows an address, and nothing of this repository. Real API, real worker, real servers. */
const SMALL = readFileSync(path.join(__dirname, '../../examples/night-bus-ko.fountain'), 'utf8');

let world: World;
let api: ApiProcess;
let base: string;

beforeAll(async () => {
  world = await openWorld({ CALLSHEET_OFFLINE_DELAY_MS: '20' });
  api = new ApiProcess(world.env());
  world.worker();
  base = `${await api.url()}/api/v1/projects/p/episodes`;
});
afterAll(async () => {
  await api.end();
  await world.close();
});

async function stateOf(episode: string): Promise<StatusBody> {
  return (await call<StatusBody>('GET', `${base}/${episode}`)).body;
}

function atRest(episode: string): Promise<StatusBody> {
  return eventually(`${episode} is at rest`, async () => {
    const state = await stateOf(episode);
    return state.state !== 'running' && state.state !== 'pending' ? state : null;
  });
}

test('an episode is put, planned, run, watched to its end and seen, and a second run has nothing to do', async () => {
  const put = await putScreenplay(`${base}/bus`, SMALL);
  expect([put.status, put.body]).toEqual([
    201,
    { created: true, changed: false, screenplayVersion: 1, title: expect.any(String) as string },
  ]);
  const watching = new EventReader(`${base}/bus/events`);
  await watching.until('the state at first', ({ event }) => event === 'state');

  const plan = await call('GET', `${base}/bus/steps/plan`);
  const planned = planBody.parse(plan.body);
  const started = await call<RunBody>('POST', `${base}/bus/steps/run-all`, { body: { planToken: planned.token } });
  expect(started.status).toBe(202);
  expect(runBody.parse(started.body).decisions.map(({ action }) => action)).toEqual(Array(9).fill('rerun_self'));

  await watching.until('the run is done', ({ event, data }) => event === 'run' && data['status'] === 'done');
  watching.close();
  const completed = watching.events
    .filter(({ event, data }) => event === 'step' && data['status'] === 'completed')
    .map(({ data }) => data['stepId']);
  expect(new Set(completed).size).toBe(9);
  expect(statusBody.parse((await call('GET', `${base}/bus/steps`)).body).state).toBe('done');
  expect((await call('POST', `${base}/bus/steps/run-all`)).status).toBe(200);
});

test('an image of the episode is served as what it is, for ever, and to nobody under another episode', async () => {
  await atRest('bus');
  const shots = await call('GET', `${base}/bus/steps/scene_image_pipeline/snapshots/1`);
  const { artifact } = z
    .object({ body: z.object({ images: z.array(z.object({ artifact: z.string() })).min(1) }) })
    .parse(shots.body).body.images[0]!;
  const image = await fetch(`${base}/bus/images/${artifact}`);
  expect(image.status).toBe(200);
  expect(
    Object.fromEntries(
      ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy'].map((name) => [
        name,
        image.headers.get(name),
      ]),
    ),
  ).toEqual({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(
    Buffer.from(await image.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  const again = await fetch(`${base}/bus/images/${artifact}`, {
    headers: { 'if-none-match': image.headers.get('etag')! },
  });
  expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  expect((await call('GET', `${base}/other/images/${artifact}`)).body.code).toBe('artifact.missing');
  const texts = await world.db
    .selectFrom('purchase')
    .select('response_ref')
    .where('step_id', '=', 'world_guide')
    .executeTakeFirstOrThrow();
  expect((await call('GET', `${base}/bus/images/${texts.response_ref}`)).body.code).toBe('artifact.missing');
});

test('of twenty starts at once one run begins; the others are told which it is, and each shot is paid for once', async () => {
  await putScreenplay(`${base}/race`, SMALL);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call<RunBody & ProblemBody>('POST', `${base}/race/steps/run-all`)),
  );
  const [winner, ...others] = answers.filter(({ status }) => status === 202);
  expect(others).toEqual([]);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(19);
  for (const { body } of refused) {
    expect([body.code, body.run?.runId, body.run?.workflowId]).toEqual([
      'run.already_running',
      winner!.body.runId,
      'episode/p/race',
    ]);
    expect(body.detail).toContain(winner!.body.runId);
  }
  expect((await atRest('race')).state).toBe('done');
  const { purchases } = purchasesBody.parse((await call('GET', `${base}/race/purchases`)).body);
  const requests = purchases.map(({ stepId, requestHash }) => `${stepId} ${requestHash}`);
  expect(new Set(requests).size).toBe(requests.length);
});

test('the same Idempotency-Key gets the same answer, one run, and nothing of another episode', async () => {
  await putScreenplay(`${base}/again`, SMALL);
  const headers = { 'idempotency-key': 'once-1' };
  const first = await call<RunBody>('POST', `${base}/again/steps/world_guide/run`, { headers });
  const twin = await call<RunBody>('POST', `${base}/again/steps/world_guide/run`, { headers });
  await eventually('the run has ended', async () => (await stateOf('again')).state !== 'running');
  const late = await call<RunBody>('POST', `${base}/again/steps/world_guide/run`, { headers });
  expect([first.status, twin.status, late.status]).toEqual([202, 202, 202]);
  expect([twin.body, late.body]).toEqual([first.body, first.body]);
  await putScreenplay(`${base}/foreign`, NIGHT_BUS);
  expect((await call('POST', `${base}/foreign/steps/run-all`, { headers })).body.code).toBe('request.id_in_use');
  expect(
    (await world.db.selectFrom('run').selectAll().where('episode_id', 'in', ['again', 'foreign']).execute()).length,
  ).toBe(1);
});

test('one step without what it needs is refused with the real decision, and nothing is bought', async () => {
  await putScreenplay(`${base}/early`, SMALL);
  const refused = await call('POST', `${base}/early/steps/scene_detail/run`);
  expect([refused.status, refused.body.code, refused.body.decisions?.[0]?.action]).toEqual([
    409,
    'step.gate_blocked',
    'block',
  ]);
  expect(refused.body.detail).toContain('shot_selection');
  expect(purchasesBody.parse((await call('GET', `${base}/early/purchases`)).body).purchases).toEqual([]);
});

test('a cancel stops a run at its safe points; what was bought stays, and the next run goes on from there', async () => {
  await putScreenplay(`${base}/stop`, SMALL);
  await call('POST', `${base}/stop/steps/run-all`);
  const watching = new EventReader(`${base}/stop/events`);
  await watching.until(
    'the details begin',
    ({ data }) => data['stepId'] === 'scene_detail' && Number(data['completedCount']) > 0,
  );
  const cancelled = await call<{ state: string }>('POST', `${base}/stop/steps/cancel-all`);
  expect([cancelled.status, cancelled.body.state]).toEqual([202, 'requested']);
  await watching.until('the run is cancelled', ({ event, data }) => event === 'run' && data['status'] === 'cancelled');
  watching.close();
  const before = purchasesBody.parse((await call('GET', `${base}/stop/purchases`)).body).purchases.map(({ id }) => id);
  expect((await call('POST', `${base}/stop/steps/cancel-all`)).body.code).toBe('step.not_running');

  expect((await call('POST', `${base}/stop/steps/run-all`)).status).toBe(202);
  expect((await atRest('stop')).state).toBe('done');
  const after = purchasesBody.parse((await call('GET', `${base}/stop/purchases`)).body).purchases;
  expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
  expect(new Set(after.map(({ stepId, requestHash }) => `${stepId} ${requestHash}`)).size).toBe(after.length);
});

test('a shot that is switched off is shown no more and its picture kept; redone, it is bought anew', async () => {
  await atRest('bus');
  const { images } = await imagesOf('bus');
  const shot = images[0]!.shot_id;
  const toggle = (on: boolean) =>
    call<{ changed: boolean }>('POST', `${base}/bus/shots/${shot}/toggle`, { body: { on } });
  expect([(await toggle(false)).body.changed, (await toggle(false)).body.changed]).toEqual([true, false]);
  await runToEnd('bus');
  expect((await imagesOf('bus')).images.map(({ shot_id }) => shot_id)).not.toContain(shot);
  await toggle(true);
  const countBefore = await purchasesOf(shot);
  await runToEnd('bus');
  expect(await purchasesOf(shot)).toBe(countBefore);
  expect((await call('POST', `${base}/bus/shots/${shot}/redo`)).status).toBe(202);
  expect((await atRest('bus')).state).toBe('done');
  expect(await purchasesOf(shot)).toBe(countBefore + 1);
  expect((await call('POST', `${base}/bus/shots/no-such-shot/toggle`, { body: { on: true } })).body.code).toBe(
    'shot.unknown',
  );
});

test('every act of an operator stands in the audit table, with who did it', async () => {
  const acts = await world.db.selectFrom('audit').select(['act', 'by']).where('project_id', '=', 'p').execute();
  expect(new Set(acts.filter(({ by }) => by === 'api:loopback').map(({ act }) => act))).toEqual(
    new Set(['screenplay', 'start', 'cancel_all', 'toggle', 'force']),
  );
});

test('the metrics tell what happened, from the ledger', async () => {
  const { body } = await call<string>('GET', `${await api.url()}/metrics`);
  expect(body).toMatch(/callsheet_claims_total\{step="world_guide",action="rerun_self"\} [1-9]/);
  expect(body).toMatch(/callsheet_blocks_total\{code="step.gate_blocked",at="decision"\} 1/);
  expect(body).toMatch(/callsheet_runs\{state="cancelled"\} 1/);
  expect(body).toMatch(/callsheet_call_seconds_count\{provider="offline"\} [1-9]/);
  expect(body).toMatch(/callsheet_start_queue_seconds_bucket\{kind="run",le="\+Inf"\} [1-9]/);
  expect(body).toMatch(/callsheet_http_problems_total\{code="step.not_running"\} 1/);
});

test('asked to end, it closes its streams and exits with 0 while a watcher is connected', async () => {
  const other = new ApiProcess(world.env());
  const watching = new EventReader(`${await other.url()}/api/v1/projects/p/episodes/bus/events`);
  await watching.until('the state', ({ event }) => event === 'state');
  expect(await other.end('SIGTERM')).toBe(0);
  await eventually('the stream has ended', () => watching.ended);
  expect(other.said).not.toContain('are cut');
});

async function runToEnd(episode: string): Promise<void> {
  await call('POST', `${base}/${episode}/steps/run-all`);
  await eventually('the run has ended', async () => (await stateOf(episode)).state === 'done');
}

async function imagesOf(episode: string): Promise<{ images: { shot_id: string }[] }> {
  const { body } = await call<{ snapshots: { version: number; current: boolean }[] }>(
    'GET',
    `${base}/${episode}/steps/scene_image_pipeline/snapshots`,
  );
  const { version } = body.snapshots.find(({ current }) => current)!;
  return (
    await call<{ body: { images: { shot_id: string }[] } }>(
      'GET',
      `${base}/${episode}/steps/scene_image_pipeline/snapshots/${version}`,
    )
  ).body.body;
}

async function purchasesOf(item: string): Promise<number> {
  const { purchases } = purchasesBody.parse(
    (await call('GET', `${base}/bus/purchases?step=scene_image_pipeline`)).body,
  );
  return purchases.filter(({ itemId }) => itemId === item).length;
}
