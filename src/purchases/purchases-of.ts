import { sql } from 'kysely';
import type { Db } from '../db/pool';
import type { Purchase } from '../db/tables';

export interface PurchaseFilter {
  /** Only those that an operator is asked about, or will be: in doubt and undecided, or open beyond their deadline. */
  readonly inDoubt?: boolean;
  readonly stepId?: string;
  readonly workflowRunId?: string;
}

const undecided = sql<boolean>`(
  (status = 'in_doubt' AND settled_by_operator IS NULL)
  OR (status = 'sent' AND deadline_at COLLATE "C" < callsheet_now() COLLATE "C"))`;

/** The purchases of an episode, oldest first (spec 50 "purchases"). Read only. */
export function purchasesOf(
  db: Db,
  projectId: string,
  episodeId: string,
  filter: PurchaseFilter = {},
): Promise<Purchase[]> {
  let query = db
    .selectFrom('purchase')
    .selectAll()
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
