import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Db } from '../db/pool';
import type { ProcessIdentity } from '../domain/identity';
import { sameHost } from '../domain/verdict';
import type { Logger } from '../observability/logger';
import { pidExists } from '../process-identity';
import { AT_ONCE } from './fail-attempt';
import { readWorkerIdentity } from './worker-identity';

/** Temporal's `PENDING_ACTIVITY_STATE_STARTED`: an attempt that some worker has begun. */
const STARTED: number = 2;

/** Whose sticky queues are reset: of all open runs, before a worker polls; beside work under way, of those that have lost an attempt. */
export type StickyReset = 'all open runs' | 'where one is lost';

/**
 * Attempts that a dead worker of this host had begun and that hold no row (a decision, a claim that had not come yet) are
 * failed, so that the next one starts now and not after their time limit; sticky queues are reset. A worker is dead only where
 * its own signature says this host, and its pid is gone. Such an attempt writes nothing that repeating it would double: the
 * ledger decides again. Answers how many there were.
 */
export async function failLostAttempts(
  deps: { readonly db: Db; readonly client: Client; readonly identity: ProcessIdentity; readonly log: Logger },
  reset: StickyReset,
): Promise<number> {
  const { db, client, identity, log } = deps;
  const open = await db
    .selectFrom('run')
    .select(['workflow_id', 'workflow_run_id'])
    .where('ended_at', 'is', null)
    .execute();
  let failed = 0;
  for (const run of open) {
    const execution = { workflowId: run.workflow_id, runId: run.workflow_run_id };
    try {
      const { pendingActivities } = await client.workflowService.describeWorkflowExecution({
        namespace: client.options.namespace,
        execution,
      });
      const lost = (pendingActivities ?? []).flatMap(({ activityId, state, lastWorkerIdentity }) =>
        Number(state) === STARTED && activityId && isDead(lastWorkerIdentity ?? '', identity) ? [activityId] : [],
      );
      if (reset === 'all open runs' || lost.length > 0)
        await client.workflowService.resetStickyTaskQueue({ namespace: client.options.namespace, execution });
      for (const activityId of lost) {
        const failure = ApplicationFailure.create({
          type: 'step.handed_back',
          message: 'the worker of this attempt is gone',
          nonRetryable: false,
          nextRetryDelay: AT_ONCE,
        });
        await client.activity.fail({ ...execution, activityId }, failure);
        log.warn({ ...execution, activityId }, 'an attempt of a dead worker is failed');
        failed += 1;
      }
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || isGone(error)) continue;
      throw error;
    }
  }
  return failed;
}

function isDead(signature: string, identity: ProcessIdentity): boolean {
  const worker = readWorkerIdentity(signature);
  if (!worker || worker.bootId === identity.bootId) return false;
  return sameHost({ owner_host: worker.host, owner_host_id: worker.hostId }, identity) && !pidExists(worker.pid);
}

/** gRPC: not found (closed, purged, moved on), or a call that this server does not have. */
function isGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    ('code' in error ? error.code === 5 || error.code === 12 : error.name === 'ActivityNotFoundError')
  );
}
