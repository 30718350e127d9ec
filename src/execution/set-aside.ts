import { shortTransaction } from '../db/transaction';
import type { ResumeDecision } from '../domain/decision';
import type { StepId } from '../domain/steps';
import type { ActivityIdentity } from '../ledger/claim-row';
import type { StepKey } from '../ledger/key';
import { setIdleRow } from '../ledger/set-idle-row';
import { saveCheckpoint } from '../store/checkpoints';
import { configHashes } from './decide-step';
import type { ExecutionDependencies } from './dependencies';
import type { EpisodeView } from './episode-view';
import { clearToggleMarks } from '../store/stale-marks';
import { expandStaleRow } from './stale-row';

/**
 * A step that does not apply: row and checkpoint say not_applicable, only where the row is exactly what the decision read
 * (spec 20, order 3). A row that says so already is left alone. False: the row has changed, decide again.
 */
export async function setAside(
  deps: Pick<ExecutionDependencies, 'db' | 'steps' | 'newId'>,
  key: StepKey & { readonly stepId: StepId },
  view: EpisodeView,
  decision: ResumeDecision,
  activity: ActivityIdentity,
): Promise<boolean> {
  if (decision.expected?.status === 'not_applicable') return true;
  const step = deps.steps[key.stepId];
  return shortTransaction(deps.db, `Setting ${key.stepId} aside`, async (tx) => {
    const { workflowId, workflowRunId } = activity;
    if (
      !(await setIdleRow(tx, key, deps.newId(), decision.expected, {
        status: 'not_applicable',
        workflowId,
        workflowRunId,
      }))
    )
      return false;
    await expandStaleRow(tx, key, decision.expected?.status);
    await clearToggleMarks(tx, key); // a switch is obeyed by having nothing to draw
    await saveCheckpoint(tx, key, {
      schemaVersion: step.schemaVersion,
      configHashes: configHashes(step, view.config),
      body: { not_applicable: true, reason: decision.reason },
      status: 'not_applicable',
      runId: decision.expected?.run_id ?? null,
      writtenBy: key.stepId,
    });
    return true;
  });
}
