import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { RunState } from '../domain/status';

/**
 * What Temporal says of a run: null while it is open, else the state to end it with in the ledger (spec 15 "Starting": a run
 * that Temporal knows as closed is ended by the start that meets it, or by a sweep).
 */
export function stateInTemporalOf(client: Client): (workflowId: string, workflowRunId: string) => Promise<RunState | null> {
  return async (workflowId, workflowRunId) => {
    try {
      const { status } = await client.workflow.getHandle(workflowId, workflowRunId).describe();
      if (status.name === 'RUNNING' || status.name === 'PAUSED') return null;
      return status.name === 'CANCELLED' ? 'cancelled' : 'failed';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'failed';
      throw error;
    }
  };
}
