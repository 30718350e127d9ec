import { shortTransaction } from '../db/transaction';
import type { StepRun } from '../db/tables';
import type { ResumeDecision } from '../domain/decision';
import type { StepId } from '../domain/steps';
import type { ActivityIdentity } from '../ledger/claim-row';
import type { StepKey } from '../ledger/key';
import { expectedOf } from '../ledger/matches';
import { setIdleRow } from '../ledger/set-idle-row';
import type { AttemptOutcome } from './attempt-outcome';
import type { ExecutionDependencies } from './dependencies';

/** Takeovers in a row, with no item finished in between, after which a step is not taken over again (spec 10). */
export const BARREN_TAKEOVERS_ALLOWED = 3;

/** Whether this takeover would be one too many: the step kills its owners. A reclaim has counted already; a steal counts now. */
export function isBarren(row: StepRun | null, decision: ResumeDecision): boolean {
  const takeovers = (row?.barren_takeovers ?? 0) + (decision.action === 'stale_running_recovery' ? 1 : 0);
  return takeovers >= BARREN_TAKEOVERS_ALLOWED;
}

/** Ends the step `failed`, naming the items of its last open purchases; a person's start or attach begins to count anew. */
export async function endBarren(
  deps: ExecutionDependencies,
  key: StepKey & { readonly stepId: StepId },
  row: StepRun | null,
  activity: ActivityIdentity,
): Promise<AttemptOutcome | 'decide_again'> {
  const open = await deps.db
    .selectFrom('purchase')
    .select('item_id')
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('status', 'in', ['sent', 'in_doubt', 'closed'])
    .orderBy('sent_at', 'desc')
    .limit(8)
    .execute();
  const items = open.map((purchase) => purchase.item_id).join(', ') || 'none was open';
  const reason = `step.owner_died_repeatedly: ${BARREN_TAKEOVERS_ALLOWED} owners of ${key.stepId} died with no item finished in between; items of the last open purchases: ${items}.`;
  const landed = await shortTransaction(deps.db, `Ending ${key.stepId}`, (tx) =>
    setIdleRow(tx, key, deps.newId(), row && expectedOf(row), {
      status: 'failed',
      errorMessage: reason,
      workflowId: activity.workflowId,
      workflowRunId: activity.workflowRunId,
    }),
  );
  return landed
    ? { outcome: 'ended', status: 'failed', code: 'step.owner_died_repeatedly', reason, ran: false }
    : 'decide_again';
}
