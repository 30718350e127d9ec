import type { Tx } from '../db/pool';
import type { Held } from '../ledger/held';

/** A cancel that another tool set on the running row counts, too (spec 15 "Cancel"). The row is locked by the caller. */
export async function hasCancelMark(tx: Tx, held: Held): Promise<boolean> {
  const row = await tx
    .selectFrom('step_run')
    .select('cancel_requested_at')
    .where('project_id', '=', held.projectId)
    .where('episode_id', '=', held.episodeId)
    .where('step_id', '=', held.stepId)
    .executeTakeFirst();
  return row !== undefined && row.cancel_requested_at !== null;
}
