import type { Json } from '../../src/domain/json';
import { handBackParked } from '../../src/execution/handover';
import { hashOf } from '../../src/hash';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EDITOR, openEditorBench, type EditorBench } from '../support/editor-bench';
import { eventually } from '../support/eventually';
import type { OfflineBuyer } from '../support/offline-buyer';
import type { TestEpisode } from '../support/test-episode';
import type { TestWorker, WorkerOptions } from '../support/test-worker';

const STEP = EDITOR;

describe('the editor step, handed over between two processes', () => {
  let database: TestDatabase;
  let bench: EditorBench;
  let episode: TestEpisode;
  let shop: OfflineBuyer;
  let worker: TestWorker;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    bench = await openEditorBench(database);
    ({ episode, shop } = bench);
    worker = bench.another();
  });

  const { another, correct, park, victims } = {
    another: (options?: WorkerOptions) => bench.another(options),
    correct: (prompt?: string) => bench.correct(prompt),
    park: (by = worker) => bench.park(by),
    victims: () => bench.victims(),
  };

  it('is adopted with a whole new identity and run id; a late write of the first process misses', async () => {
    await correct();
    const token = await park();
    const heir = another();
    const applying = heir.refresh(episode, STEP, token);
    expect(await applying).toMatchObject({ status: 'completed' });
    const row = await episode.row(STEP);
    expect(row).toMatchObject({
      owner_boot_id: heir.identity.bootId,
      owner_host: heir.identity.host,
      activity_id: 't2i_review.refresh',
    });
    expect(row.run_id).not.toBe(token);
    await handBackParked(worker.deps);
    expect(await episode.row(STEP)).toEqual(row);
    await eventually('the first process lets go', () => worker.registry.all().length === 0);
  });

  it('stays registered and beaten until then', async () => {
    await correct();
    const token = await park();
    expect(worker.registry.all()).toMatchObject([{ state: 'parked', held: { runId: token } }]);
    expect(await episode.row(STEP)).toMatchObject({ status: 'running', run_id: token });
    await handBackParked(worker.deps);
  });

  it('to a second attempt of the adoption, which finds the token used up and decides', async () => {
    await correct();
    const token = await park();
    const [first, second] = await Promise.all([
      another().refresh(episode, STEP, token),
      another().refresh(episode, STEP, token),
    ]);
    const outcomes = [first, second].map((one) => (one.outcome === 'ended' ? one.status : one.outcome)).sort();
    expect(['completed,completed', 'completed,retry']).toContain(outcomes.join());
    expect(await episode.versions('scene_detail')).toEqual([1, 2]);
  });

  it('to nobody: it goes back to pending after a lease, and the next run buys no second review', async () => {
    await correct();
    worker = another({ times: { leaseSeconds: 1 } });
    await park();
    await eventually('the row goes back', async () => (await episode.row(STEP)).status === 'pending');
    expect(await episode.row(STEP)).toMatchObject({ last_recovery_reason: 'handed back: not adopted' });
    shop.sold.length = 0;
    expect(await another().refresh(episode, STEP, 'the token of before')).toMatchObject({ status: 'completed' });
    expect(shop.sold).toEqual([]);
  });

  it('when the first process shuts down: at once', async () => {
    await correct();
    let shutdown = false;
    await worker.attempt(episode, STEP, { stop: () => (shutdown ? { why: 'handed_back', cause: 'shutdown' } : null) });
    shutdown = true;
    await eventually('the row goes back', async () => (await episode.row(STEP)).status === 'pending');
    expect(worker.registry.all()).toEqual([]);
  });

  it('when a look at it fails: at once, and it is not beaten for ever', async () => {
    await correct();
    let broken = false;
    await worker.attempt(episode, STEP, {
      stop: () => {
        if (broken) throw new Error('a bug');
        return null;
      },
    });
    broken = true;
    await eventually('the row goes back', async () => (await episode.row(STEP)).status === 'pending');
    await eventually('the registry lets go', () => worker.registry.all().length === 0);
  });

  it('after a reclaim in between: the second activity claims anew, and reuses the paid answer', async () => {
    await correct();
    const token = await park();
    await episode.patch(STEP, { status: 'failed', last_recovery_reason: 'sweep' });
    shop.sold.length = 0;
    expect(await another().refresh(episode, STEP, token)).toMatchObject({ status: 'completed' });
    expect(shop.sold).toEqual([]);
    expect(await episode.versions('scene_detail')).toEqual([1, 2]);
  });

  it('cancelled in between: nothing is applied, the row ends cancelled, and the review serves the next run', async () => {
    await correct();
    worker = another({ deps: { sleep: () => new Promise(() => undefined) } });
    const token = await park();
    const before = await victims();
    await episode.cancel('*');
    expect(await another().refresh(episode, STEP, token)).toMatchObject({ outcome: 'ended', status: 'cancelled' });
    expect(await victims()).toBe(before);
    expect(await episode.row(STEP)).toMatchObject({ status: 'cancelled' });
    shop.sold.length = 0;
    const run = await episode.openRun();
    expect(await another().attempt(episode, STEP, { workflowRunId: run, editor: 'apply' })).toMatchObject({
      status: 'completed',
    });
    expect(shop.sold).toEqual([]);
  });

  it("cancelled in between by another tool's mark: the refresh does not run what the first process has ended", async () => {
    await correct();
    const token = await park();
    const before = await victims();
    await episode.patch(STEP, { cancel_requested_at: 'by another tool' });
    await eventually('the row is cancelled', async () => (await episode.row(STEP)).status === 'cancelled');
    expect(await another().refresh(episode, STEP, token)).toMatchObject({ outcome: 'ended', status: 'cancelled' });
    expect(await victims()).toBe(before);
    expect(await episode.row(STEP)).toMatchObject({ status: 'cancelled' });
  });

  it('cancelled in between, with a second activity that never comes: the first process ends the row itself', async () => {
    await correct();
    await park();
    await episode.cancel('*');
    await eventually('the row is cancelled', async () => (await episode.row(STEP)).status === 'cancelled');
    expect(worker.registry.all()).toEqual([]);
  });

  it('cancelled in between, and the victim saved anew with the very same prompts: the kept review serves the next run', async () => {
    await correct();
    worker = another({ deps: { sleep: () => new Promise(() => undefined) } });
    const token = await park();
    await episode.cancel('*');
    await another().refresh(episode, STEP, token);
    const made = (await bench.scenes()) as unknown as { scenes: { t2i_variations: { owned_validation: Json }[] }[] };
    // Signed as a review's: part of no hash, and of no request.
    const signed = made.scenes[0]!.t2i_variations[0]!;
    signed.owned_validation = { ...(signed.owned_validation as object), _mutation_origin: STEP };
    await bench.newVersion(made);
    shop.sold.length = 0;
    const run = await episode.openRun();
    expect(await another().attempt(episode, STEP, { workflowRunId: run, editor: 'apply' })).toMatchObject({
      status: 'completed',
    });
    expect(shop.sold).toEqual([]);
    expect(await bench.firstShot()).toMatchObject({ t2i_prompt: 'A prompt of the editor.' });
    expect(await episode.versions('scene_detail')).toEqual([1, 2, 3]);
  });

  describe.each(['still parked', 'reclaimed in between'])('%s, with a prompt changed since the review', (how) => {
    /** Somebody saves the first prompt anew, sound in itself. */
    const changePrompt = async () => {
      const body = (await bench.scenes()) as unknown as {
        scenes: { t2i_variations: { t2i_prompt: string; owned_validation: Json }[] }[];
      };
      const first = body.scenes[0]!.t2i_variations[0]!;
      first.t2i_prompt = 'A prompt that nobody has reviewed.';
      first.owned_validation = {
        ...(first.owned_validation as object),
        t2i_prompt_hash: hashOf(first.t2i_prompt),
      };
      await bench.newVersion(body);
    };

    it('buys no second review: it ends failed, its victims are left alone, and the next run asks anew', async () => {
      await correct();
      const token = await park();
      await changePrompt();
      if (how !== 'still parked') await episode.patch(STEP, { status: 'failed', last_recovery_reason: 'sweep' });
      const before = await victims();
      shop.sold.length = 0;
      expect(await another().refresh(episode, STEP, token)).toMatchObject({
        outcome: 'ended',
        status: 'failed',
        code: 't2i_review.victim_changed',
      });
      expect([shop.sold, await victims()]).toEqual([[], before]);
      const run = await episode.openRun();
      const next = await another().attempt(episode, STEP, { workflowRunId: run, editor: 'apply' });
      expect(next).toMatchObject({ status: 'completed' });
      expect(shop.soldOf(STEP)).toEqual(['all']);
    });

    it('ends cancelled where it was cancelled, too', async () => {
      await correct();
      worker = another({ deps: { sleep: () => new Promise(() => undefined) } });
      const token = await park();
      await changePrompt();
      if (how !== 'still parked') await episode.patch(STEP, { status: 'failed', last_recovery_reason: 'sweep' });
      await episode.cancel('*');
      expect(await another().refresh(episode, STEP, token)).toMatchObject({ outcome: 'ended', status: 'cancelled' });
    });
  });
});
