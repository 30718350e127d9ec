import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { Held } from './held';

/**
 * Writes how far the held run is, under the fence; a finished item also ends a row of barren takeovers (spec 10 "A step that
 * kills its owner"). False: ownership was lost.
 */
export async function countItems(
  tx: Tx,
  held: Held,
  counts: {
    readonly applicable: number;
    readonly completed: number;
    readonly failed: number;
    readonly itemFinished: boolean;
  },
): Promise<boolean> {
  const counted = await tx
    .updateTable('step_run')
    .set({
      applicable_count: counts.applicable,
      completed_count: counts.completed,
      failed_count: counts.failed,
      updated_at: sql`callsheet_now()`,
      ...(counts.itemFinished ? { barren_takeovers: 0 } : {}),
    })
    .where('project_id', '=', held.projectId)
    .where('episode_id', '=', held.episodeId)
    .where('step_id', '=', held.stepId)
    .where('run_id', '=', held.runId)
    .where('owner_boot_id', '=', held.bootId)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return counted !== undefined;
}
