import { costOf } from '../../src/purchases/cost-of';
import {
  contextOf,
  holdStep,
  httpProviderOf,
  imageCall,
  openBench,
  openRun,
  rowsOf,
  steal,
  takeStep,
  textCall,
  type Bench,
} from '../support/buying';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider';

describe('what a provider may answer', () => {
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

  it('reports a refusal with the provider’s words, NUL and all, and never sends it again unchanged', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'refusal', words: 'I cannot\u0000 do that \ud800.' });
    const refused = { outcome: 'item_failed', code: 'provider.refused', message: 'I cannot\uFFFD do that \uFFFD.' };
    expect(await bench.worker().buy(contextOf(held), textCall('scene-1'))).toEqual(refused);
    expect(await bench.worker().buy(contextOf(held), textCall('scene-1'))).toEqual(refused);
    expect(fake.seen).toHaveLength(1);
    expect((await costOf(database.db, held.projectId, 'e1'))[0]!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });

  it('fails only that item on a content policy; another goes on', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'status', status: 400, code: 'content_policy_violation', message: 'not allowed' });
    const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toMatchObject({
      outcome: 'item_failed',
      code: 'provider.refused',
      message: 'HTTP 400: not allowed',
    });
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-2'))).toMatchObject({ outcome: 'bought' });
  });

  it('asks once for what the provider takes for a wrong request, charges nothing, and the next run asks again', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'status', status: 422, code: 'invalid_value', message: 'no such size' });
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toEqual({
      outcome: 'item_failed',
      code: 'provider.rejected',
      message: 'HTTP 422: no such size',
    });
    expect(fake.seen).toHaveLength(1);
    expect((await rowsOf(database.db, held)).map((row) => [row.status, Number(row.cost_usd)])).toEqual([['failed', 0]]);
    const run = { ...(await steal(database.db, held, 'boot-a')), workflowRunId: `${held.projectId}-2` };
    await openRun(database.db, run);
    expect(await bench.worker().buy(contextOf(run), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
  });

  it('asks three times for an answer that can be used, with more room and a key of its own each time; then the item fails', async () => {
    const held = await holdStep(database.db);
    fake.failAll({ fault: 'text', content: '{"scenes":[1,2', finishReason: 'length' });
    const outcome = await bench.worker().buy(contextOf(held), textCall('scene-1'));
    expect(outcome).toMatchObject({ outcome: 'item_failed', code: 'provider.invalid_answer' });
    expect(outcome).toMatchObject({ message: expect.stringContaining('truncated') as string });
    const rows = await rowsOf(database.db, held);
    expect(rows.map((row) => row.status)).toEqual(['invalid', 'invalid', 'invalid']);
    expect(await bench.artifacts.get(rows[0]!.response_ref!)).not.toBeNull();
    const rooms = fake.seen.map((request) => Number(request.body.max_completion_tokens));
    expect(rooms[1]! > rooms[0]! && rooms[2]! > rooms[1]!).toBe(true);
    expect(new Set(fake.seen.map((request) => request.key)).size).toBe(3);
    expect((await costOf(database.db, held.projectId, 'e1'))[0]!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
  });

  it('does not count answers anew for another attempt of the same run, but does for the next run', async () => {
    const held = await holdStep(database.db);
    const never = textCall('scene-1', () => false);
    await bench.worker().buy(contextOf(held), never);
    const attempt = await steal(database.db, held, 'boot-a');
    expect(await bench.worker().buy(contextOf(attempt), never)).toMatchObject({ code: 'provider.invalid_answer' });
    expect(fake.seen).toHaveLength(3);
    const run = { ...(await steal(database.db, held, 'boot-a')), workflowRunId: `${held.projectId}-2` };
    await openRun(database.db, run);
    expect(await bench.worker().buy(contextOf(run), textCall('scene-1'))).toMatchObject({ outcome: 'bought' });
    expect(fake.seen).toHaveLength(4);
  });

  it('asks again after one bad answer, and never reuses that one', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'text', content: '{"a":1}{"b":2}' });
    const parses = textCall('scene-1', (text) => text.startsWith('{"echo"'));
    const bought = await bench.worker().buy(contextOf(held), parses);
    expect(bought).toMatchObject({ outcome: 'bought' });
    expect((await rowsOf(database.db, held)).map((row) => row.status)).toEqual(['invalid', 'settled']);
    expect(await bench.worker().buy(contextOf(held), parses)).toMatchObject({ outcome: 'reused' });
  });

  it.each([
    ['t2i_review', 't2i_review.unknown_item_id'],
    ['scene_detail', 'provider.invalid_answer'],
  ])('of %s ends with %s when the last answer named an item that does not exist', async (stepId, code) => {
    const held = { ...(await holdStep(database.db)), stepId };
    await takeStep(database.db, held);
    const outcome = await bench.worker().buy(
      contextOf(held),
      textCall('all', () => 'unknown'),
    );
    expect(outcome).toMatchObject({ outcome: 'item_failed', code });
  });

  it.each(['empty_image', 'not_an_image'] as const)(
    'takes no picture for good that is none (%s): charged, kept, asked again',
    async (fault) => {
      const held = await holdStep(database.db);
      fake.fail({ fault });
      expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
      const rows = await rowsOf(database.db, held);
      expect(rows.map((row) => row.status)).toEqual(['invalid', 'settled']);
      expect((await bench.artifacts.stat(rows[0]!.response_ref!))!.bytes).toBeGreaterThan(0);
      expect((await costOf(database.db, held.projectId, 'e1'))[0]!.costUsd).toBeCloseTo(fake.tillUsd(), 8);
    },
  );

  it('tries a 500 that never ends five times and no more, and charges nothing for it', async () => {
    const held = await holdStep(database.db);
    fake.failAll({ fault: 'status', status: 500 });
    const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toMatchObject({ outcome: 'item_failed', code: 'provider.unavailable' });
    expect(fake.seen).toHaveLength(5);
    expect((await rowsOf(database.db, held)).map((row) => [row.status, Number(row.cost_usd)])).toEqual(
      Array(5).fill(['failed', 0]),
    );
    expect(await costOf(database.db, held.projectId, 'e1')).toMatchObject([
      { calls: 0, costUsd: 0, atRiskUsd: 0, inDoubt: 0 },
    ]);
  });

  it.each([502, 520])(
    'asks the operator after a %i: its gateway cannot say whether the picture was drawn',
    async (status) => {
      const held = await holdStep(database.db);
      fake.fail({ fault: 'status', status, body: '<html>bad gateway</html>' });
      expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'in_doubt' });
      expect(fake.seen).toHaveLength(1);
      expect(await rowsOf(database.db, held)).toMatchObject([{ status: 'in_doubt', cost_usd: null }]);
    },
  );

  it('sends again after a 502 where the key is charged once', async () => {
    const held = await holdStep(database.db);
    const keyed = httpProviderOf(fake, { honoursIdempotencyKey: true });
    fake.fail({ fault: 'status', status: 502 });
    expect(await bench.worker({ providerFor: () => keyed }).buy(contextOf(held), imageCall('shot-1'))).toMatchObject({
      outcome: 'bought',
    });
    expect((await rowsOf(database.db, held)).map((row) => row.status)).toEqual(['closed', 'settled']);
  });

  it('waits out a 503, and buys', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'status', status: 503, body: '<html>overloaded</html>' });
    expect(await bench.worker().buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    expect(bench.slept.length).toBeGreaterThan(0);
  });

  it('takes a server that refuses the connection as certainly not charged', async () => {
    const held = await holdStep(database.db);
    const nobody = httpProviderOf({ url: 'http://127.0.0.1:1' });
    const outcome = await bench.worker({ providerFor: () => nobody }).buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toMatchObject({ outcome: 'item_failed', code: 'provider.unavailable' });
    expect((await rowsOf(database.db, held)).every((row) => row.status === 'failed')).toBe(true);
  });

  it.each([
    ['an empty account', { status: 429, code: 'insufficient_quota' }],
    ['a bad key', { status: 401, code: 'invalid_api_key' }],
    ['an unknown model', { status: 404, code: 'model_not_found' }],
  ])('sends one request to %s and says that no other will do better', async (_what, status) => {
    const held = await holdStep(database.db);
    fake.failAll({ fault: 'status', message: 'mend it', ...status });
    const outcome = await bench.worker().buy(contextOf(held), imageCall('shot-1'));
    expect(outcome).toEqual({ outcome: 'account', message: `HTTP ${status.status}: mend it` });
    expect(fake.seen).toHaveLength(1);
    expect(await rowsOf(database.db, held)).toMatchObject([{ status: 'failed', error_code: 'provider.account' }]);
  });

  it.each(['86400', '9999999999'])(
    'stops at once and says when to go on when it is told to wait %s s, and lets no sibling ask',
    async (seconds) => {
      const held = await holdStep(database.db);
      const worker = bench.worker();
      fake.failAll({ fault: 'status', status: 429, headers: { 'retry-after': seconds } });
      const outcome = await worker.buy(contextOf(held), imageCall('shot-1'));
      expect(outcome).toMatchObject({ outcome: 'rate_limited', resumeAfterMs: Number(seconds) * 1000 });
      expect(await worker.buy(contextOf(held), imageCall('shot-2'))).toMatchObject({ outcome: 'rate_limited' });
      expect(fake.seen).toHaveLength(1);
    },
  );

  it('waits at least as long as a 429 advises, and lets no sibling ask before', async () => {
    const held = await holdStep(database.db);
    const worker = bench.worker();
    fake.fail({ fault: 'status', status: 429, headers: { 'retry-after': '20' } });
    expect(await worker.buy(contextOf(held), imageCall('shot-1'))).toMatchObject({ outcome: 'bought' });
    const waited = (fake.seen[1]!.atMs - fake.seen[0]!.atMs) * 100;
    expect(waited).toBeGreaterThanOrEqual(20_000);
  });
});
