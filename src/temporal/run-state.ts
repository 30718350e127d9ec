import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { RunState } from '../domain/status';

/**
 * What Temporal says of a run: null while it is open, else the state to end it with in the ledger (spec 15 "Starting": a run
 * that Temporal knows as closed is ended by the start that meets it, or by a sweep). A run that was reset goes on as another one
 * of Temporal's, under its name in the ledger: it is as open as the one that it was reset to.
 */
export function stateInTemporalOf(
  client: Client,
): (workflowId: string, workflowRunId: string) => Promise<RunState | null> {
  const stateOf = async (workflowId: string, workflowRunId: string): Promise<RunState | null> => {
    try {
      const { status, raw } = await client.workflow.getHandle(workflowId, workflowRunId).describe();
      const resetTo = raw.workflowExtendedInfo?.resetRunId;
      if (resetTo) return await stateOf(workflowId, resetTo);
      if (status.name === 'RUNNING' || status.name === 'PAUSED') return null;
      return status.name === 'CANCELLED' ? 'cancelled' : 'failed';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'failed';
      throw error;
    }
  };
  return stateOf;
}
