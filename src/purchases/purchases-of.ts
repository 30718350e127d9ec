import { sql } from 'kysely';
import type { Db } from '../db/pool';
import type { Purchase } from '../db/tables';
import { atRiskUsd, chargedUsd, reservedUsd } from './committed';

export interface PurchaseFilter {
  /** Only those that an operator is asked about, or will be: in doubt and undecided, or open beyond their deadline. */
  readonly inDoubt?: boolean;
  readonly stepId?: string;
  readonly workflowRunId?: string;
}

/** A purchase, and what it counts for in every sum of dollars; NUMERIC as text. */
export interface CountedPurchase extends Purchase {
  readonly charged_usd: string;
  readonly at_risk_usd: string;
}

// An open purchase beyond its deadline is in doubt, whether somebody has written so or not.
const overdue = sql<boolean>`(p.status = 'sent' AND p.deadline_at COLLATE "C" < callsheet_now() COLLATE "C")`;
const undecided = sql<boolean>`((p.status = 'in_doubt' AND p.settled_by_operator IS NULL) OR ${overdue})`;

/** The purchases of an episode, oldest first (spec 50 "purchases"). Read only. */
export function purchasesOf(
  db: Db,
  projectId: string,
  episodeId: string,
  filter: PurchaseFilter = {},
): Promise<CountedPurchase[]> {
  let query = db
    .selectFrom('purchase as p')
    .selectAll()
    .select([
      chargedUsd.as('charged_usd'),
      sql<string>`${atRiskUsd} + CASE WHEN ${overdue} THEN ${reservedUsd} ELSE 0 END`.as('at_risk_usd'),
    ])
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId);
  if (filter.stepId !== undefined) query = query.where('step_id', '=', filter.stepId);
  if (filter.workflowRunId !== undefined) query = query.where('workflow_run_id', '=', filter.workflowRunId);
  if (filter.inDoubt) query = query.where(undecided);
  return query.orderBy('created_at').orderBy('id').execute();
}

/** One purchase by its id; undefined where there is none. */
export function purchaseById(db: Db, id: string): Promise<Purchase | undefined> {
  return db.selectFrom('purchase').selectAll().where('id', '=', id).executeTakeFirst();
}
