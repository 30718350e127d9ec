import type { Db } from '../db/pool';

/** The newest calls say how long the next ones take. */
const NEWEST = 2_000;

export interface CallTime {
  readonly step_id: string;
  readonly sent_at: string;
  readonly settled_at: string | null;
}

/** When the newest settled calls of a project were sent and answered, for what a plan expects (spec 40 "Plan"). Read only. */
export function callTimesOf(db: Db, projectId: string): Promise<CallTime[]> {
  return db
    .selectFrom('purchase')
    .select(['step_id', 'sent_at', 'settled_at'])
    .where('project_id', '=', projectId)
    .where('status', '=', 'settled')
    .where('settled_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(NEWEST)
    .execute();
}
