import type { BudgetBody } from '../bodies/budget';
import type { Db } from '../db/pool';
import { checkId } from '../domain/ids';
import { setBudget } from '../purchases/set-budget';
import { PROJECT_CAP, readBudget } from './queries/budget';

export interface NewCap {
  readonly projectId: string;
  /** A workflow run id; absent: the project's own cap. */
  readonly runId?: string;
  readonly capUsd: number;
  readonly by: string;
}

/** Sets a cap in US dollars, up or down (spec 40 "Budget"); audited. Throws id.invalid, input.invalid, db.unavailable. */
export async function setCap(db: Db, { projectId, runId, capUsd, by }: NewCap): Promise<BudgetBody> {
  checkId('project', projectId);
  await setBudget(db, projectId, runId ?? PROJECT_CAP, capUsd, by);
  return readBudget(db, projectId);
}
