import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Db } from '../db/pool';
import type { ProcessIdentity } from '../domain/identity';
import { sameHost } from '../domain/verdict';
import type { Logger } from '../observability/logger';
import { pidExists } from '../process-identity';
import { readWorkerIdentity } from './worker-identity';

/** Temporal's `PENDING_ACTIVITY_STATE_STARTED`: an attempt that some worker has begun. */
const STARTED: number = 2;

/**
 * Before a worker polls: attempts that a dead worker of this host had begun and that hold no row (a decision, a claim that had
 * not come yet) are failed, so that the next one starts now and not after their time limit; sticky queues are reset. A worker
 * is dead only where its own signature says this host, and its pid is gone. Such an attempt writes nothing that repeating it
 * would double: the ledger decides again.
 */
export async function failLostAttempts(deps: { readonly db: Db; readonly client: Client; readonly identity: ProcessIdentity; readonly log: Logger }): Promise<number> {
  const { db, client, identity, log } = deps;
  const open = await db.selectFrom('run').select(['workflow_id', 'workflow_run_id']).where('ended_at', 'is', null).execute();
  let failed = 0;
  for (const run of open) {
    const execution = { workflowId: run.workflow_id, runId: run.workflow_run_id };
    try {
      const { pendingActivities } = await client.workflowService.describeWorkflowExecution({ namespace: client.options.namespace, execution });
      await client.workflowService.resetStickyTaskQueue({ namespace: client.options.namespace, execution });
      for (const activity of pendingActivities ?? []) {
        if (Number(activity.state) !== STARTED || !activity.activityId || !isDead(activity.lastWorkerIdentity ?? '', identity)) continue;
        const failure = ApplicationFailure.create({ type: 'step.handed_back', message: 'the worker of this attempt is gone', nonRetryable: false });
        await client.activity.fail({ ...execution, activityId: activity.activityId }, failure);
        log.warn({ ...execution, activityId: activity.activityId }, 'an attempt of a dead worker is failed');
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
  return error instanceof Error && ('code' in error ? error.code === 5 || error.code === 12 : error.name === 'ActivityNotFoundError');
}
