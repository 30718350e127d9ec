import type { BudgetBody } from '../bodies/budget';
import type { Db } from '../db/pool';
import { withDatabaseErrors } from '../db/errors';
import { AppError } from '../domain/errors';
import { checkId } from '../domain/ids';
import { setBudget } from '../purchases/set-budget';
import { runById } from '../runs/open-runs';
import { PROJECT_CAP, readBudget } from './queries/budget';

export interface NewCap {
  readonly projectId: string;
  /** A workflow run id; absent: the project's own cap. */
  readonly runId?: string;
  readonly capUsd: number;
  readonly by: string;
}

/**
 * Sets a cap in US dollars, up or down (spec 40 "Budget"); audited. A run's cap is for an open run of that project: any other name
 * would be a cap on nothing. Throws id.invalid, input.invalid, run.unknown, run.ended, db.unavailable.
 */
export async function setCap(db: Db, { projectId, runId, capUsd, by }: NewCap): Promise<BudgetBody> {
  checkId('project', projectId);
  if (runId !== undefined) await requireOpenRun(db, projectId, runId);
  await setBudget(db, projectId, runId ?? PROJECT_CAP, capUsd, by);
  return readBudget(db, projectId);
}

async function requireOpenRun(db: Db, projectId: string, runId: string): Promise<void> {
  const run = await withDatabaseErrors('Reading the run', () => runById(db, runId));
  const shown = JSON.stringify(runId.slice(0, 80));
  if (run?.project_id !== projectId)
    throw new AppError('run.unknown', `The project ${projectId} has no run ${shown} in the ledger.`);
  if (run.ended_at !== null)
    throw new AppError('run.ended', `The run ${shown} has ended: a cap would hold nothing back.`);
}
