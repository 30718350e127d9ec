import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { Expected } from '../domain/decision';
import type { StepKey } from './key';
import { stillExactly } from './matches';

export interface RestoredCounts {
  readonly status: 'completed' | 'partial' | 'stale';
  readonly applicableCount: number;
  readonly completedCount: number;
  readonly summary: string;
}

/**
 * An earlier result of a step counts again (spec 20 "Snapshots"): a write without a claim, so only on exactly what was read.
 * Identity stays on the row. Answers whether it landed.
 */
export async function restoreRow(tx: Tx, key: StepKey, expected: Expected, counts: RestoredCounts): Promise<boolean> {
  const restored = await tx
    .updateTable('step_run')
    .set({
      status: counts.status,
      applicable_count: counts.applicableCount,
      completed_count: counts.completedCount,
      failed_count: counts.applicableCount - counts.completedCount,
      error_message: null,
      result_summary: counts.summary,
      completed_at: sql`callsheet_now()`,
      updated_at: sql`callsheet_now()`,
    })
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where(stillExactly(expected))
    .returning('id')
    .executeTakeFirst();
  return restored !== undefined;
}
