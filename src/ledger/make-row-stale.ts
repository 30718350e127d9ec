import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { StepKey } from './key';

/** Stale become completed, partial, failed, cancelled, not_applicable; pending stays pending, and no rows are made. */
export async function makeRowStale(tx: Tx, key: StepKey): Promise<void> {
  await tx
    .updateTable('step_run')
    .set({ status: 'stale', updated_at: sql`callsheet_now()` })
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('status', 'in', ['completed', 'partial', 'failed', 'cancelled', 'not_applicable'])
    .execute();
}
