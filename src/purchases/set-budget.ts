import { sql } from 'kysely';
import { AppError } from '../domain/errors';
import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { atRiskUsd, chargedUsd, reservedUsd } from './committed';
import { isMoney, toNumeric } from './money';

export interface Budget {
  /** A workflow run id, or '*' for the project. */
  readonly run: string;
  readonly capUsd: number;
  readonly by: string;
  readonly at: string;
  /** Spent, reserved and at risk under this cap. */
  readonly committedUsd: number;
}

/** Sets or changes a cap in US dollars of a project (run '*') or of one run, audited (spec 40 "Budget"). Throws input.invalid. */
export async function setBudget(db: Db, projectId: string, run: string, capUsd: number, by: string): Promise<void> {
  if (!isMoney(capUsd))
    throw new AppError('input.invalid', `A budget is a number of US dollars from 0, not ${capUsd}.`);
  const cap_usd = toNumeric(capUsd);
  await shortTransaction(db, 'Setting a budget', async (tx) => {
    await tx
      .insertInto('budget')
      .values({ project_id: projectId, run, cap_usd, by })
      .onConflict((row) =>
        row.columns(['project_id', 'run']).doUpdateSet({ cap_usd, by, at: sql<string>`callsheet_now()` }),
      )
      .execute();
    const details = JSON.stringify({ run, capUsd });
    await tx.insertInto('audit').values({ by, act: 'budget.set', project_id: projectId, details }).execute();
  });
}

/** The caps of a project and of its runs, with what is committed under each. Read only. */
export async function budgetsOf(db: Db, projectId: string): Promise<Budget[]> {
  const answer = await sql<{ run: string; cap_usd: string; by: string; at: string; committed: string }>`
    SELECT b.run, b.cap_usd, b.by, b.at, (
      SELECT COALESCE(sum(${chargedUsd} + ${reservedUsd} + ${atRiskUsd}), 0)
      FROM purchase AS p WHERE p.project_id = b.project_id AND (b.run = '*' OR p.workflow_run_id = b.run)
    ) AS committed
    FROM budget AS b WHERE b.project_id = ${projectId} ORDER BY b.run`.execute(db);
  return answer.rows.map((row) => ({
    run: row.run,
    capUsd: Number(row.cap_usd),
    by: row.by,
    at: row.at,
    committedUsd: Number(row.committed),
  }));
}
