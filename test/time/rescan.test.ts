import { WorkflowNotFoundError } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { rescanTaskQueue } from '../../src/domain/ids';
import { RescanClient } from '../../src/temporal/rescan-client';
import { eventually } from '../support/eventually';
import { quietRuntime, reportOf, rescanBundle } from '../support/rescan-loop';
import { takeRealTime } from '../support/slow-round';
import { timeServer } from '../support/settings';

const INTERVAL_MS = 300_000;
const ROUNDS = 4;
/** Of a round, while which no time is skipped; far above the server's precision. */
const SLOW_MS = 3_000;

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  quietRuntime();
  const path = timeServer();
  environment = await TestWorkflowEnvironment.createTimeSkipping(
    path === undefined ? {} : { server: { executable: { type: 'existing-path', path } } },
  );
});
afterAll(() => environment.teardown());

interface Seen {
  readonly begunMs: number;
  readonly endedMs: number;
}

/** Lets rounds of that length follow one another, and answers when each began and ended by the server's clock. */
async function seeRounds(deployment: string, roundMs: number, rounds: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  const input = { intervalMs: INTERVAL_MS, limitMs: 600_000 };
  const loop = new RescanClient(environment.client, deployment);
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: rescanTaskQueue(deployment),
    workflowBundle: await rescanBundle(),
    activities: {
      rescanRound: async () => {
        const begunMs = await environment.currentTimeMs();
        await takeRealTime(roundMs);
        seen.push({ begunMs, endedMs: await environment.currentTimeMs() });
        // So that no round is under way at the end: the server would skip no time for any later test.
        if (seen.length === rounds) await loop.ask('pause', input);
        return reportOf({ intervalMs: INTERVAL_MS });
      },
    },
  });
  await worker.runUntil(async () => {
    await loop.start(input);
    const handle = environment.client.workflow.getHandle(loop.workflowId);
    const skipping = handle.result().catch(() => undefined); // waiting for a result is what lets the server skip time
    await eventually('the last round has ended', async () => {
      const status = await loop.status();
      return seen.length === rounds && (status === null || !status.running);
    });
    // Paused, with nothing to wait for, the server may have skipped to the end of the workflow's own time already.
    await handle.terminate('seen enough').catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
    await skipping;
  });
  return seen;
}

describe('the interval between rounds', () => {
  it('runs from the end of a slow round, not from its beginning', async () => {
    const seen = await seeRounds('slow', SLOW_MS, ROUNDS);
    const gaps = seen.slice(1).map(({ begunMs }, index) => begunMs - seen[index]!.endedMs);
    expect(gaps).toHaveLength(ROUNDS - 1);
    // A fixed rate would leave the interval less the round's own length. The server rounds timers up, never down.
    for (const gap of gaps) expect(gap).toBeGreaterThan(INTERVAL_MS - SLOW_MS / 2);
    for (const gap of gaps) expect(gap).toBeLessThan(INTERVAL_MS + 60_000);
  });

  it('is waited out in full, and an hour of quick rounds has none twice in one interval', async () => {
    const seen = await seeRounds('quick', 1, 12);
    const gaps = seen.slice(1).map(({ begunMs }, index) => begunMs - seen[index]!.begunMs);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(seen.at(-1)!.begunMs - seen[0]!.begunMs).toBeGreaterThanOrEqual(11 * INTERVAL_MS);
  });
});
