import type { Tx } from '../db/pool';

export interface RunFinding {
  /** The run has not ended, or there is none (work outside of any run). */
  readonly open: boolean;
  /** A cancel of that run covers the step. */
  readonly cancelled: boolean;
}

/**
 * Locks the run's row FOR SHARE and reads whether it is open, and whether a cancel covers the step, in the caller's
 * transaction: a cancel locks that row FOR UPDATE, so whatever commits here came before it, or sees it (spec 15 "Cancel").
 * A run's row comes before any row of step_run (spec 10 "The fence").
 */
export async function shareRun(tx: Tx, workflowRunId: string | null, stepId: string): Promise<RunFinding> {
  if (workflowRunId === null) return { open: true, cancelled: false };
  const run = await tx
    .selectFrom('run')
    .select('ended_at')
    .where('workflow_run_id', '=', workflowRunId)
    .forShare()
    .executeTakeFirst();
  const cancel = await tx
    .selectFrom('run_cancel')
    .select('step')
    .where('workflow_run_id', '=', workflowRunId)
    .where('step', 'in', [stepId, '*'])
    .limit(1)
    .executeTakeFirst();
  return { open: run !== undefined && run.ended_at === null, cancelled: cancel !== undefined };
}
