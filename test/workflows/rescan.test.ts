import { Context } from '@temporalio/activity';
import { openTestTemporal, type TestTemporal } from '../support/temporal';
import type { LoopRounds } from '../../src/workflows/rescan-contract';
import { eventually } from '../support/eventually';
import { INPUT, openTestLoop, quietRuntime, reportOf, rescanBundle, type TestLoop } from '../support/rescan-loop';

let temporal: TestTemporal;
let loop: TestLoop;
let stop: (() => Promise<void>) | undefined;
/** Ends a round that hangs on purpose, also where its test has failed. */
let wakeLater = () => {};
beforeAll(async () => {
  quietRuntime();
  temporal = await openTestTemporal();
  await rescanBundle();
});
afterAll(() => temporal.close());
beforeEach(() => {
  loop = openTestLoop(temporal);
});
afterEach(async () => {
  wakeLater();
  await loop.terminate();
  await stop?.();
  stop = undefined;
});

describe('the loop', () => {
  it('started by twenty workers at once is one run, and its first round comes at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => loop.client.start(INPUT)));
    let rounds = 0;
    stop = await loop.work(async () => {
      rounds += 1;
      return reportOf({ claimed: 7, sent: 7 });
    });
    const status = await loop.until('a round has ended', (one) => one.lastRound !== null);
    expect(rounds).toBe(1);
    expect(status).toMatchObject({ begun: 1, failed: 0, paused: false, running: false });
    expect(status.lastRound?.report).toMatchObject({ claimed: 7, sent: 7 });
    expect(status.nextDueAtMs).toBe(status.lastRound!.endedAtMs + INPUT.intervalMs);
  });

  it('never has Temporal repeat a failed round: it is counted and told, and each round is given the numbers of those before it', async () => {
    const requests: (LoopRounds | undefined)[] = [];
    stop = await loop.work(async ({ rounds }) => {
      requests.push(rounds);
      if (requests.length < 3) throw new Error('the database is away');
      return reportOf();
    });
    await loop.client.start(INPUT);
    const failed = await loop.until('the first round has failed', (one) => one.lastRound !== null);
    expect(failed).toMatchObject({
      begun: 1,
      failed: 1,
      lastRound: { report: null, failure: expect.stringContaining('the database is away') },
    });
    expect(failed.nextDueAtMs).toBe(failed.lastRound!.endedAtMs + INPUT.intervalMs);
    await loop.client.ask('run', INPUT);
    await loop.until('the second round has failed', (one) => one.failed === 2 && !one.running);
    await loop.client.ask('run', INPUT);
    await loop.until('a round has ended well', (one) => one.begun === 3 && !one.running);
    await loop.client.ask('run', INPUT);
    await loop.until('another one has', (one) => one.begun === 4 && !one.running);
    const { loop: id } = requests[0]!;
    expect(requests).toEqual([
      { loop: id, done: 0, failed: 0 },
      { loop: id, done: 0, failed: 1 },
      { loop: id, done: 0, failed: 2 },
      { loop: id, done: 1, failed: 2 },
    ]);
  });

  it('gives up a round that hangs after its limit, and goes on', async () => {
    let rounds = 0;
    let wake = () => {};
    wakeLater = () => wake();
    stop = await loop.work(async () => {
      rounds += 1;
      if (rounds === 1) await new Promise<void>((resolve) => (wake = resolve));
      return reportOf();
    });
    await loop.client.start({ ...INPUT, limitMs: 1_000 });
    const hung = await loop.until('the round is given up', (one) => one.failed === 1);
    expect(hung.lastRound).toMatchObject({ report: null, failure: expect.stringMatching(/timeout/i) });
    await loop.client.ask('run', INPUT);
    const next = await loop.until('the next round has ended', (one) => one.begun === 2 && !one.running);
    wake();
    expect(next.lastRound?.report).not.toBeNull();
  });

  it('paused begins no round by itself, runs one that is asked for, and goes on when resumed', async () => {
    let rounds = 0;
    stop = await loop.work(async () => {
      rounds += 1;
      return reportOf({ intervalMs: 1 });
    });
    // Before anything runs: what was asked then is honoured, too.
    await loop.client.ask('pause', INPUT);
    expect(await loop.until('it is paused', (one) => one.paused)).toMatchObject({ begun: 0, nextDueAtMs: null });
    await loop.client.ask('run', INPUT);
    await loop.until('the round that was asked for has ended', (one) => one.begun === 1 && !one.running);
    expect(await loop.client.status()).toMatchObject({ paused: true, begun: 1 }); // although 1 ms has long passed
    await loop.client.ask('resume', INPUT);
    await loop.until('rounds follow one another', () => rounds >= 3);
  });

  it('asked for a round while one is under way begins another one when that has ended, and never two at once', async () => {
    let open = 0;
    let most = 0;
    let go = () => {};
    const first = new Promise<void>((resolve) => (go = resolve));
    stop = await loop.work(async () => {
      open += 1;
      most = Math.max(most, open);
      await first;
      open -= 1;
      return reportOf();
    });
    await loop.client.start(INPUT);
    await loop.until('a round is under way', (one) => one.running);
    for (let times = 0; times < 5; times += 1) await loop.client.ask('run', INPUT);
    expect(await loop.client.status()).toMatchObject({ begun: 1, runNow: true, running: true });
    go();
    await loop.until('one more has ended', (one) => one.begun === 2 && !one.running);
    expect(most).toBe(1);
  });

  it('takes a changed interval from the round that ran with it', async () => {
    stop = await loop.work(async () => reportOf({ intervalMs: 77_000 }));
    await loop.client.start(INPUT);
    const status = await loop.until('a round has ended', (one) => one.lastRound !== null);
    expect(status.intervalMs).toBe(77_000);
    expect(status.nextDueAtMs).toBe(status.lastRound!.endedAtMs + 77_000);
  });

  it('takes the settings of a worker that starts: a limit that no round fits is not for ever, and nothing else changes', async () => {
    const limits: (number | undefined)[] = [];
    stop = await loop.work(async () => {
      const limitMs = Context.current().info.startToCloseTimeoutMs;
      limits.push(limitMs);
      if (limitMs !== 90_000) throw new Error('it did not fit'); // sooner than the limit itself would say it
      return reportOf({ intervalMs: 77_000, limitMs: 90_000 });
    });
    await loop.client.start(INPUT);
    await loop.until('the first round has failed', (one) => one.failed === 1 && !one.running);
    await loop.client.ask('pause', INPUT);
    const byHand = temporal.environment.client.workflow.getHandle(loop.workflowId);
    for (const args of [[], [null], [{ intervalMs: 5 }], [{ intervalMs: 'soon', limitMs: 0 }]])
      await byHand.signal('settings', ...args); // no settings: the loop goes on as it was
    await loop.client.start({ intervalMs: 77_000, limitMs: 90_000 });
    const told = await loop.until('the settings are taken', (one) => one.intervalMs === 77_000);
    expect(told).toMatchObject({ paused: true, begun: 1 });
    await loop.client.ask('run', INPUT); // a door's own settings are for a loop that it starts
    const status = await loop.until('a round has ended well', (one) => one.begun === 2 && !one.running);
    expect(status).toMatchObject({ failed: 1, intervalMs: 77_000, paused: true });
    expect(limits).toEqual([INPUT.limitMs, 90_000]);
  });

  it('that somebody has terminated does not pass for one that waits, and is started again by the next worker that looks', async () => {
    stop = await loop.work(async () => reportOf());
    await loop.client.start(INPUT);
    await loop.until('a round has ended', (one) => one.lastRound !== null);
    await loop.terminate();
    expect(await loop.client.status()).toBeNull();
    await loop.client.start(INPUT);
    expect(await loop.until('a round has ended', (one) => one.lastRound !== null)).toMatchObject({ begun: 1 });
  });

  it('paused goes on as a new run, too, where workers that start and people who ask fill its history', async () => {
    const handle = temporal.environment.client.workflow.getHandle(loop.workflowId);
    const rounds = jest.fn(async () => reportOf());
    stop = await loop.work(rounds);
    await loop.client.ask('pause', { ...INPUT, historyEvents: 40 });
    await loop.until('it is paused', (one) => one.paused);
    const { runId: firstRun } = await handle.describe();
    await eventually('the run is another one', async () => {
      await loop.client.start({ ...INPUT, intervalMs: 77_000 });
      return (await handle.describe()).runId !== firstRun;
    });
    expect(await loop.client.status()).toMatchObject({ paused: true, begun: 0, intervalMs: 77_000 });
    expect((await handle.describe()).historyLength).toBeLessThan(80);
    expect(rounds).not.toHaveBeenCalled();
  });

  it('goes on as a new run before its history grows, and keeps pause, counts and last round', async () => {
    const handle = temporal.environment.client.workflow.getHandle(loop.workflowId);
    const loops = new Set<string | undefined>();
    stop = await loop.work(async ({ rounds }) => {
      loops.add(rounds?.loop);
      return reportOf({ claimed: 3 });
    });
    await loop.client.start({ ...INPUT, historyEvents: 40 });
    const { runId: firstRun } = await handle.describe();
    for (let rounds = 1; rounds <= 6; rounds += 1) {
      await loop.client.ask('run', INPUT);
      await loop.until(`round ${rounds} has ended`, (one) => one.begun > rounds - 1 && !one.running && !one.runNow);
    }
    await loop.client.ask('pause', INPUT);
    const before = await loop.until('it is paused', (one) => one.paused);
    for (;;) {
      await loop.client.ask('run', INPUT);
      await loop.until('the round has ended', (one) => !one.running && !one.runNow);
      if ((await handle.describe()).runId !== firstRun) break;
    }
    const after = await loop.until('the new run answers', (one) => one.begun > 0);
    expect(after).toMatchObject({ paused: true, intervalMs: INPUT.intervalMs });
    expect(after.begun).toBeGreaterThanOrEqual(before.begun);
    expect([...loops]).toEqual([firstRun]); // what is counted goes on under one name
    expect(after.lastRound?.report).toMatchObject({ claimed: 3 });
    expect((await handle.describe()).historyLength).toBeLessThan(80);
  });
});
