import type { ProviderReply } from '../../src/providers/port';
import { costOf } from '../../src/purchases/cost-of';
import { eventually } from '../support/eventually';
import { contextOf, holdStep, httpProviderOf, openBench, rowsOf, textCall, type Bench } from '../support/buying';
import { createTestDatabase, type TestDatabase } from '../support/database';

const ANSWER: ProviderReply = {
  outcome: 'answer',
  content: Buffer.from('{"a":1}'),
  contentType: 'application/json',
  costUsd: 0.01,
  usage: { inputTokens: 1, outputTokens: 2 },
};

describe('a reply that comes after nobody waited for it any more', () => {
  let database: TestDatabase;
  let bench: Bench;
  let reply: (reply: ProviderReply) => void;
  /** An adapter that ignores its deadline; the calls after the first are answered at once. */
  let calls: number;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    calls = 0;
    const first = new Promise<ProviderReply>((resolve) => (reply = resolve));
    const deaf = httpProviderOf(
      { url: 'http://127.0.0.1:1' },
      { send: () => ((calls += 1) === 1 ? first : Promise.resolve(ANSWER)) },
    );
    bench = await openBench(database.db, deaf);
  });
  afterEach(() => bench.close());

  const ask = { settings: { 'inDoubt.text': 'ask' } };

  async function abandonFirst(accepts?: (text: string) => boolean) {
    const held = await holdStep(database.db);
    const grace = new AbortController();
    const buying = bench.worker({ graceOver: grace.signal }).buy(contextOf(held, ask), textCall('scene-1', accepts));
    await eventually('the request has left', () => calls === 1);
    grace.abort();
    expect(await buying).toMatchObject({ outcome: 'stopped' });
    expect(await rowsOf(database.db, held)).toMatchObject([{ status: 'in_doubt' }]);
    return held;
  }

  it('is settled on its purchase, and the next buyer reuses it', async () => {
    const held = await abandonFirst();
    reply(ANSWER);
    await eventually('it is settled', async () => (await rowsOf(database.db, held))[0]!.status === 'settled');
    expect(await bench.worker().buy(contextOf(held, ask), textCall('scene-1'))).toMatchObject({ outcome: 'reused' });
    expect(calls).toBe(1);
  });

  it('is counted and never reused when it cannot be read; the call is bought again', async () => {
    const held = await abandonFirst(() => false);
    reply(ANSWER);
    await eventually('it is settled', async () => (await rowsOf(database.db, held))[0]!.status === 'settled');
    expect(await rowsOf(database.db, held)).toMatchObject([
      { unusable_reason: expect.stringContaining('not what was asked') as string },
    ]);
    expect(await bench.worker().buy(contextOf(held, ask), textCall('scene-1'))).toMatchObject({ outcome: 'bought' });
    expect((await costOf(database.db, held.projectId, 'e1'))[0]!.costUsd).toBeCloseTo(0.02, 8);
  });

  it('takes the doubt away when it says that nothing was charged; nobody is asked', async () => {
    const held = await abandonFirst();
    expect(await bench.worker().buy(contextOf(held, ask), textCall('scene-1'))).toMatchObject({ outcome: 'in_doubt' });
    reply({ outcome: 'not_charged', code: 'provider.unavailable', message: 'overloaded' });
    await eventually('its cost is known', async () => (await rowsOf(database.db, held))[0]!.cost_usd !== null);
    expect(await bench.worker().buy(contextOf(held, ask), textCall('scene-1'))).toMatchObject({ outcome: 'bought' });
    expect(await costOf(database.db, held.projectId, 'e1')).toMatchObject([
      { costUsd: 0.01, atRiskUsd: 0, inDoubt: 0 },
    ]);
  });

  it('does not keep a step waiting for ever: past its deadline a call that hangs is in doubt, and not held any more', async () => {
    const held = await holdStep(database.db);
    const worker = bench.worker({ callDeadlineSeconds: { text: 1, image: 1 } });
    expect(await worker.buy(contextOf(held, ask), textCall('scene-1'))).toMatchObject({ outcome: 'in_doubt' });
    expect(worker.inFlight()).toEqual([]);
    reply(ANSWER);
    await eventually('it is settled', async () => (await rowsOf(database.db, held))[0]!.status === 'settled');
    expect(await worker.buy(contextOf(held, ask), textCall('scene-1'))).toMatchObject({ outcome: 'reused' });
  });

  it('is in doubt, not failed, when the adapter itself has a bug', async () => {
    const held = await holdStep(database.db);
    const broken = httpProviderOf(
      { url: 'http://127.0.0.1:1' },
      { send: () => Promise.reject(new TypeError('undefined is no function')) },
    );
    const outcome = await bench.worker({ providerFor: () => broken }).buy(contextOf(held, ask), textCall('scene-1'));
    expect(outcome).toMatchObject({
      outcome: 'in_doubt',
      message: expect.stringContaining('undefined is no function') as string,
    });
  });
});
