import { sql } from 'kysely';
import type { Tx } from '../db/pool';

export interface Cap {
  /** A workflow run id, or '*' for the project. */
  readonly run: string;
  readonly capUsd: number;
}

/** A cap given with the start of the run becomes a row, so that there is one to lock. A row that is there is the newer word. */
async function adoptRunCap(tx: Tx, projectId: string, workflowRunId: string): Promise<void> {
  await sql`
    INSERT INTO budget (project_id, run, cap_usd, by)
    SELECT project_id, workflow_run_id, budget_usd, 'start'
    FROM run WHERE workflow_run_id = ${workflowRunId} AND project_id = ${projectId} AND budget_usd IS NOT NULL
    ON CONFLICT (project_id, run) DO NOTHING`.execute(tx);
}

/**
 * The caps of project and run, locked: reservations under one cap come one after the other, so each sees what those before
 * it reserved (spec 40 "Budget"). The project's row first, for everybody.
 */
export async function lockCaps(tx: Tx, projectId: string, workflowRunId: string | null): Promise<Cap[]> {
  if (workflowRunId !== null) await adoptRunCap(tx, projectId, workflowRunId);
  const rows = await tx
    .selectFrom('budget')
    .select(['run', 'cap_usd'])
    .where('project_id', '=', projectId)
    .where('run', 'in', workflowRunId === null ? ['*'] : ['*', workflowRunId])
    .orderBy(sql`run <> '*'`)
    .forUpdate()
    .execute();
  return rows.map((row) => ({ run: row.run, capUsd: Number(row.cap_usd) }));
}
