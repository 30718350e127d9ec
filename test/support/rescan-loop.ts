import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { Worker, bundleWorkflowCode, DefaultLogger, Runtime, type WorkflowBundle } from '@temporalio/worker';
import { rescanTaskQueue } from '../../src/domain/ids';
import { RescanClient } from '../../src/temporal/rescan-client';
import type { RescanInput, RescanStatus, RoundReport, RoundRequest } from '../../src/workflows/rescan-contract';
import { eventually } from './eventually';
import type { TestTemporal } from './temporal';

let bundle: Promise<WorkflowBundle> | undefined;

/** The workflows of this source tree, bundled once for a test file. */
export function rescanBundle(): Promise<WorkflowBundle> {
  bundle ??= bundleWorkflowCode({
    workflowsPath: path.resolve(__dirname, '../../src/workflows/index.ts'),
    logger: new DefaultLogger('WARN'),
  });
  return bundle;
}

/** Before the first worker of a test file: the SDK is as quiet as the tests. */
export function quietRuntime(): void {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
}

export const HOUR_MS = 3_600_000;
export const INPUT: RescanInput = { intervalMs: HOUR_MS, limitMs: 60_000 };

export function reportOf(changes: Partial<RoundReport> = {}): RoundReport {
  const nothing = { finalized: 0, claimed: 0, sent: 0, failed: 0, failures: {}, inconsistent: 0, unneeded: 0, left: 0 };
  return { ...nothing, durationMs: 1, intervalMs: HOUR_MS, limitMs: 60_000, ...changes };
}

export interface TestLoop {
  readonly client: RescanClient;
  readonly workflowId: string;
  /** Polls for this loop with rounds that the test makes up; call the answer to stop. */
  work(round: (request: RoundRequest) => Promise<RoundReport>): Promise<() => Promise<void>>;
  /** Waits until the loop says so. */
  until(what: string, holds: (status: RescanStatus) => boolean): Promise<RescanStatus>;
  terminate(): Promise<void>;
}

/** A loop that no other test has. */
export function openTestLoop(temporal: TestTemporal): TestLoop {
  const deployment = `test-${randomUUID()}`;
  const client = new RescanClient(temporal.environment.client, deployment);
  return {
    client,
    workflowId: client.workflowId,
    work: async (round) => {
      const worker = await Worker.create({
        connection: temporal.environment.nativeConnection,
        taskQueue: rescanTaskQueue(deployment),
        workflowBundle: await rescanBundle(),
        activities: { rescanRound: round },
        stickyQueueScheduleToStartTimeout: '1s',
        // A round that a failing test left hanging does not hold up the end of its file.
        shutdownForceTime: '5s',
      });
      const running = worker.run();
      return async () => {
        worker.shutdown();
        await running.catch(() => undefined); // forced: the test has failed already
      };
    },
    until: (what, holds) =>
      eventually(what, async () => {
        const status = await client.status();
        return status && holds(status) ? status : null;
      }),
    terminate: async () => {
      await temporal.environment.client.workflow.getHandle(client.workflowId).terminate('the test has ended');
    },
  };
}
