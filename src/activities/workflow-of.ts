import type { Context } from '@temporalio/activity';

/** The workflow run that an activity belongs to; ours are never started without one. */
export function workflowOf(context: Context): { readonly workflowId: string; readonly runId: string } {
  const { workflowExecution } = context.info;
  if (!workflowExecution) throw new Error('This activity belongs to a workflow, and was started without one.');
  return workflowExecution;
}
