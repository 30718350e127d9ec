import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { StepStatus } from '../domain/status';
import type { Held } from './held';

export interface RowEnd {
  readonly status: Exclude<StepStatus, 'running'>;
  readonly applicableCount: number | null;
  readonly completedCount: number;
  readonly failedCount: number;
  readonly errorMessage: string | null;
  readonly resultSummary: string | null;
  readonly resolvedModel: string | null;
  readonly inputHash: string | null;
  readonly upstreamRevision: string | null;
  /** Set for a step that is handed back (spec 15 "Cancel"). */
  readonly recoveryReason: string | null;
}

/**
 * Ends the held run, under the fence; false: ownership was lost, and nothing was written (spec 10 "The fence"). Counters of
 * recovery are reset when the step completes (spec 20 "Running and finalizing", 6). Identity stays on the row.
 */
export async function endRow(tx: Tx, held: Held, end: RowEnd): Promise<boolean> {
  const completed = end.status === 'completed';
  const ended = await tx
    .updateTable('step_run')
    .set({
      status: end.status,
      applicable_count: end.applicableCount,
      completed_count: end.completedCount,
      failed_count: end.failedCount,
      error_message: end.errorMessage,
      result_summary: end.resultSummary,
      resolved_model: sql`COALESCE(${end.resolvedModel}::text, resolved_model)`,
      input_hash: sql`COALESCE(${end.inputHash}::text, input_hash)`,
      upstream_revision: sql`COALESCE(${end.upstreamRevision}::text, upstream_revision)`,
      completed_at: end.status === 'pending' ? null : sql`callsheet_now()`,
      updated_at: sql`callsheet_now()`,
      ...(completed ? { recovery_count: 0, barren_takeovers: 0, last_recovery_reason: null } : {}),
      ...(end.recoveryReason === null ? {} : { last_recovery_reason: end.recoveryReason }),
    })
    .where('project_id', '=', held.projectId)
    .where('episode_id', '=', held.episodeId)
    .where('step_id', '=', held.stepId)
    .where('run_id', '=', held.runId)
    .where('owner_boot_id', '=', held.bootId)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}
