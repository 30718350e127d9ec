import type { DecisionBody } from '../../bodies/decision';
import type { Db } from '../../db/pool';
import { withDatabaseErrors } from '../../db/errors';
import { STEP_IDS } from '../../domain/steps';
import { decisionOf } from './decision-row';

/** The newest decision of each step in one workflow run, in manifest order: what an attached command shows. Throws db.unavailable. */
export async function decisionsOfRun(db: Db, workflowRunId: string): Promise<DecisionBody[]> {
  const rows = await withDatabaseErrors('Reading the decisions failed', () =>
    db
      .selectFrom('step_decision')
      .selectAll()
      .where('workflow_run_id', '=', workflowRunId)
      .orderBy('id', 'asc')
      .execute(),
  );
  const newest = new Map(rows.map((row) => [row.step_id, decisionOf(row)]));
  const order = (decision: DecisionBody) => {
    const index = (STEP_IDS as readonly string[]).indexOf(decision.stepId);
    return index === -1 ? STEP_IDS.length : index;
  };
  return [...newest.values()].sort((one, other) => order(one) - order(other));
}
