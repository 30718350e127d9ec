import type { Selectable } from 'kysely';
import { ACTIONS, ORIGINS, type DecisionBody } from '../../bodies/decision';
import { evidenceBody, type EvidenceBody } from '../../bodies/evidence';
import type { PastDecisionBody } from '../../bodies/explain';
import type { StepDecisionTable } from '../../db/tables';

export type StepDecisionRow = Selectable<StepDecisionTable>;

/** A kept decision as people and programs see it. A newer release's word for an action or origin is not guessed at. */
export function pastDecisionOf(row: StepDecisionRow): PastDecisionBody {
  return {
    ...decisionOf(row),
    at: row.at,
    madeBy: row.made_by,
    attempt: row.attempt,
    runId: row.run_id,
    workflowId: row.workflow_id,
    workflowRunId: row.workflow_run_id,
    evidence: evidenceOf(row.evidence),
  };
}

export function decisionOf(row: StepDecisionRow): DecisionBody {
  const action = ACTIONS.find((known) => known === row.action);
  return {
    stepId: row.step_id,
    // An unknown action is shown as a block, never as work that is done or not to be done.
    action: action ?? 'block',
    origin: ORIGINS.find((known) => known === row.origin) ?? null,
    code: row.code,
    reason: action ? row.reason : `(${row.action}) ${row.reason}`,
  };
}

/** The stored list; text that is none becomes one piece of evidence that shows it. */
function evidenceOf(text: string): EvidenceBody[] {
  try {
    const parsed = evidenceBody.array().safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // not JSON: shown below as it stands
  }
  return [{ what: 'unreadable evidence', found: text }];
}
