import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { PurchaseTable } from '../db/tables';
import type { RequestKey } from './request-key';

export interface RequestRow extends Selectable<PurchaseTable> {
  /** Send window and call deadline have passed by the database's clock, read in the same statement. */
  readonly expired: boolean;
}

/** Both times are Callsheet's own text of one length, so they sort as they are; nothing is cast (spec 10 "Times"). */
export const isExpired = sql<boolean>`deadline_at COLLATE "C" < callsheet_now() COLLATE "C"`;

function ofRequest(db: Db | Tx, key: RequestKey) {
  return db
    .selectFrom('purchase')
    .selectAll()
    .select(isExpired.as('expired'))
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('request_hash', '=', key.requestHash)
    .where('generation', '=', key.generation);
}

/** The purchases of one request and generation, oldest first. */
export function readRequest(db: Db, key: RequestKey): Promise<RequestRow[]> {
  return ofRequest(db, key).orderBy('created_at').orderBy('id').execute();
}

/** The same, locked until the transaction ends, and in one order for everybody, so that no two of them deadlock. */
export function lockRequest(tx: Tx, key: RequestKey): Promise<RequestRow[]> {
  return ofRequest(tx, key).orderBy('id').forUpdate().execute();
}
