import type { Db, Tx } from '../../db/pool';
import type { EpisodeRef } from '../contract';

/** What one step has bought so far (spec 40). */
export interface StepSpending {
  /** Requests that left, or may have; those that certainly were not charged (`failed`) are not counted. */
  readonly calls: number;
  /** What is known to have been charged, in US dollars. */
  readonly costUsd: number;
  /** Purchases in doubt: they may have been charged, and a person decides. */
  readonly inDoubt: number;
  /** Estimates of calls that may have been charged without an answer: in doubt, or closed. Never part of `costUsd`. */
  readonly atRiskUsd: number;
}

export const NOTHING_SPENT: StepSpending = { calls: 0, costUsd: 0, inDoubt: 0, atRiskUsd: 0 };

/** Calls, dollars and doubts of each step of an episode. Steps without purchases are absent. */
export async function spendingBySteps(db: Db | Tx, { projectId, episodeId }: EpisodeRef): Promise<ReadonlyMap<string, StepSpending>> {
  const rows = await db
    .selectFrom('purchase')
    .select((expression) => [
      'step_id',
      expression.fn.countAll<string>().filterWhere('status', '!=', 'failed').as('calls'),
      expression.fn.coalesce(expression.fn.sum<string>('cost_usd'), expression.lit(0)).as('cost'),
      expression.fn.countAll<string>().filterWhere('status', '=', 'in_doubt').as('in_doubt'),
      expression.fn
        .sum<string | null>('estimated_cost_usd')
        .filterWhere((where) => where.and([where('status', 'in', ['in_doubt', 'closed']), where('cost_usd', 'is', null)]))
        .as('at_risk'),
    ])
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .groupBy('step_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.step_id,
      { calls: Number(row.calls), costUsd: Number(row.cost), inDoubt: Number(row.in_doubt), atRiskUsd: Number(row.at_risk ?? 0) },
    ]),
  );
}

/** A sum of dollars without the dust that adding binary fractions leaves; a millionth of a cent is kept. */
export function sumUsd(amounts: readonly number[]): number {
  return Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(8));
}
