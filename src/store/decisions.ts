import type { Db, Tx } from '../db/pool';
import type { ResumeDecision } from '../domain/decision';
import type { StepKey } from '../ledger/key';

export interface DecisionContext {
  readonly workflowId: string | null;
  readonly workflowRunId: string | null;
  readonly madeBy: 'announcement' | 'attempt';
  readonly attempt: number | null;
  /** The run that it led to; null where none was claimed. */
  readonly runId: string | null;
}

/** Keeps a decision for `explain` (spec 15). */
export async function recordDecision(
  db: Db | Tx,
  key: StepKey,
  decision: ResumeDecision,
  context: DecisionContext,
): Promise<void> {
  await db
    .insertInto('step_decision')
    .values({
      project_id: key.projectId,
      episode_id: key.episodeId,
      step_id: key.stepId,
      workflow_id: context.workflowId,
      workflow_run_id: context.workflowRunId,
      made_by: context.madeBy,
      attempt: context.attempt,
      run_id: context.runId,
      action: decision.action,
      code: decision.code ?? null,
      reason: withoutNul(decision.reason),
      origin: decision.origin ?? null,
      evidence: JSON.stringify(decision.evidence),
    })
    .execute();
}

/** PostgreSQL's text holds no U+0000 and no lone surrogate: both become U+FFFD, here and in every message (cases C07). */
export function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
