import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { StepRun } from '../db/tables';
import { expectedOf, stillExactly } from './matches';

/**
 * Start-up reclaim, sweep and release: running → failed, only if the row is still exactly what the verdict read; a miss
 * changes nothing (spec 10 "Start-up reclaim, sweep, release"). Answers whether it landed.
 */
export async function failDeadRow(db: Db | Tx, row: StepRun, reason: string): Promise<boolean> {
  const changed = await db
    .updateTable('step_run')
    .set({
      status: 'failed',
      last_recovery_reason: reason,
      error_message: reason,
      recovery_count: sql`recovery_count + 1`,
      barren_takeovers: sql`COALESCE(barren_takeovers, 0) + 1`,
      updated_at: sql`callsheet_now()`,
    })
    .where('id', '=', row.id)
    .where('status', '=', 'running')
    .where(stillExactly(expectedOf(row)))
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
