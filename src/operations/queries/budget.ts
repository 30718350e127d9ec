import type { BudgetBody } from '../../bodies/budget';
import { withDatabaseErrors } from '../../db/errors';
import type { Db } from '../../db/pool';
import { budgetsOf } from '../../purchases/set-budget';

/** The name under which a project's own cap is kept beside those of its runs. */
export const PROJECT_CAP = '*';

/** Caps and what is committed under each (spec 40 "Budget"). Reads only. Throws db.unavailable. */
export async function readBudget(db: Db, projectId: string): Promise<BudgetBody> {
  const budgets = await withDatabaseErrors('Reading the budget failed', () => budgetsOf(db, projectId));
  const cap = budgets.find((budget) => budget.run === PROJECT_CAP);
  return {
    projectId,
    capUsd: cap?.capUsd ?? null,
    committedUsd: cap?.committedUsd ?? null,
    runs: budgets
      .filter((budget) => budget.run !== PROJECT_CAP)
      .map(({ run, capUsd, committedUsd }) => ({ runId: run, capUsd, committedUsd })),
  };
}
