import { ID_PATTERN, episodeWorkflowId, stepWorkflowId } from '../domain/ids';
import { STEP_IDS, isStepId } from '../domain/steps';
import { runById } from '../runs/open-runs';
import type { EpisodeRef } from './contract';
import type { OperationDependencies } from './dependencies';

/**
 * Tells runs that Temporal holds open and the ledger does not know: no worker has taken them yet, and their first activity would
 * write their row (spec 15 "Starting"). A workflow honours a signal that came before its first task, so nothing of it starts.
 * Answers the runs told. Throws temporal.unavailable.
 */
export async function tellQueuedRuns(
  { db, temporal }: Pick<OperationDependencies, 'db' | 'temporal'>,
  input: EpisodeRef & { readonly step?: string; readonly by: string },
): Promise<readonly string[]> {
  if (!temporal) return [];
  const told: string[] = [];
  for (const workflowId of workflowIdsOf(input)) {
    const runId = await temporal.client.openRunId(workflowId);
    // One that has a row is the ledger's: it was told by its row, or has ended there.
    if (runId === null || (await runById(db, runId))) continue;
    await temporal.client.signalCancel(workflowId, runId, input.step, input.by);
    told.push(runId);
  }
  return told;
}

/** Where a run of these steps may wait. What cannot be started is not asked for: ids of other tools are no part of a workflow id. */
function workflowIdsOf({ projectId, episodeId, step }: EpisodeRef & { readonly step?: string }): string[] {
  if (!ID_PATTERN.test(projectId) || !ID_PATTERN.test(episodeId)) return [];
  if (step !== undefined && !isStepId(step)) return [];
  const steps = step === undefined ? STEP_IDS : [step];
  return [episodeWorkflowId(projectId, episodeId), ...steps.map((one) => stepWorkflowId(projectId, episodeId, one))];
}
