import { ActivityNotFoundError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { StepRun } from '../db/tables';
import type { Logger } from '../observability/logger';

/** gRPC's code for a call that the server does not know (the time-skipping test server has no resetStickyTaskQueue). */
const UNIMPLEMENTED = 12;

/**
 * When the next attempt of a step comes whose owner is dead. Temporal's own back-off doubles with every attempt there has been, of
 * outages and hand-backs, too; zero would mean none at all.
 */
export const AT_ONCE = '100ms';

/** Somebody waits for this: Temporal's client would try again for longer. */
const TOLD_WITHIN_MS = 10_000;

/**
 * Tells Temporal that the attempt of a dead owner has failed (spec 15 "Fast takeover"): first the workflow's sticky queue is
 * reset, then the attempt is failed by the task token kept in the row. An attempt that has moved on answers NotFound, which is
 * fine; Temporal out of reach means that the next attempt waits for the heartbeat timeout, which is said. Answers false then, and
 * true where there was nothing to tell.
 */
export function failAttemptWith(client: Client, log: Logger): (row: StepRun, reason: string) => Promise<boolean> {
  return async (row, reason) => {
    const { workflow_id: workflowId, activity_task_token: token } = row;
    if (workflowId === null || token === null) return true;
    try {
      const failure = ApplicationFailure.create({
        type: 'step.ownership_lost',
        message: reason,
        nonRetryable: false,
        nextRetryDelay: AT_ONCE,
      });
      await client.withDeadline(Date.now() + TOLD_WITHIN_MS, async () => {
        await resetSticky(client, workflowId);
        await client.activity.fail(new Uint8Array(Buffer.from(token, 'base64')), failure);
      });
      return true;
    } catch (error) {
      if (error instanceof ActivityNotFoundError || error instanceof WorkflowNotFoundError) return true;
      log.warn(
        { step: row.step_id, workflowId, err: error },
        'Temporal was not told: the next attempt waits for the heartbeat timeout',
      );
      return false;
    }
  };
}

async function resetSticky(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflowService.resetStickyTaskQueue({
      namespace: client.options.namespace,
      execution: { workflowId },
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === UNIMPLEMENTED || error.code === 5)) return;
    throw error;
  }
}
