import { sql } from 'kysely';
import type { Db } from '../db/pool';
import { atRiskUsd, chargedUsd, reservedUsd } from './committed';

/** What a step has cost; all sums in US dollars. */
export interface StepCost {
  readonly stepId: string;
  /** Requests that left and were, or may have been, charged. */
  readonly calls: number;
  /** By definite answers: settled, invalid and refused. */
  readonly costUsd: number;
  /** Calls that may have been charged and wait for a decision. */
  readonly inDoubt: number;
  /** Estimates of what is in doubt, and of closed purchases that were sent: may have been charged besides. */
  readonly atRiskUsd: number;
  /** Calls whose answer is awaited, and their estimates. */
  readonly open: number;
  readonly reservedUsd: number;
}

interface Row {
  readonly step_id: string;
  readonly calls: string;
  readonly cost: string;
  readonly in_doubt: string;
  readonly at_risk: string;
  readonly open: string;
  readonly reserved: string;
}

/** Costs of an episode by step, or of one run of the workflow; steps that bought nothing are left out. Read only. */
export async function costOf(
  db: Db,
  projectId: string,
  episodeId: string,
  workflowRunId?: string,
): Promise<StepCost[]> {
  const ofRun = workflowRunId === undefined ? sql`true` : sql`p.workflow_run_id = ${workflowRunId}`;
  // An open purchase beyond its deadline is in doubt, whether somebody has written so or not.
  const answer = await sql<Row>`
    WITH p AS (
      SELECT *, status = 'sent' AND deadline_at COLLATE "C" < callsheet_now() COLLATE "C" AS overdue
      FROM purchase WHERE project_id = ${projectId} AND episode_id = ${episodeId}
    )
    SELECT step_id,
      count(*) FILTER (WHERE status <> 'failed') AS calls,
      sum(${chargedUsd}) AS cost,
      count(*) FILTER (WHERE status = 'in_doubt' OR overdue) AS in_doubt,
      sum(${atRiskUsd} + CASE WHEN overdue THEN ${reservedUsd} ELSE 0 END) AS at_risk,
      count(*) FILTER (WHERE status = 'sent' AND NOT overdue) AS open,
      sum(CASE WHEN overdue THEN 0 ELSE ${reservedUsd} END) AS reserved
    FROM p WHERE ${ofRun}
    GROUP BY step_id ORDER BY step_id`.execute(db);
  return answer.rows.map((row) => ({
    stepId: row.step_id,
    calls: Number(row.calls),
    costUsd: Number(row.cost),
    inDoubt: Number(row.in_doubt),
    atRiskUsd: Number(row.at_risk),
    open: Number(row.open),
    reservedUsd: Number(row.reserved),
  }));
}
