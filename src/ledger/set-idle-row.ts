import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { Expected } from '../domain/decision';
import type { StepStatus } from '../domain/status';
import type { StepKey } from './key';
import { stillExactly } from './matches';

export interface IdleChange {
  readonly status: Exclude<StepStatus, 'running'>;
  readonly errorMessage?: string | null;
  readonly workflowId?: string | null;
  readonly workflowRunId?: string | null;
}

/**
 * A write without a claim (not_applicable, cancelled before it began): lands only on exactly what was read, a running row
 * included in that comparison (spec 20, order 3). `expected` null: there was no row, and one is made.
 */
export async function setIdleRow(
  tx: Tx,
  key: StepKey,
  newId: string,
  expected: Expected | null,
  change: IdleChange,
): Promise<boolean> {
  if (expected === null) {
    const made = await sql<{ id: string }>`
      INSERT INTO step_run (id, project_id, episode_id, step_id, status, error_message, workflow_id, workflow_run_id,
                            created_at, updated_at, completed_at, recovery_count)
      SELECT ${newId}, ${key.projectId}, ${key.episodeId}, ${key.stepId}, ${change.status}, ${change.errorMessage ?? null},
             ${change.workflowId ?? null}, ${change.workflowRunId ?? null}, clock.now, clock.now, clock.now, 0
      FROM (SELECT callsheet_now() AS now) AS clock
      ON CONFLICT (project_id, episode_id, step_id) DO NOTHING
      RETURNING id`.execute(tx);
    return made.rows.length === 1;
  }
  const changed = await tx
    .updateTable('step_run')
    .set({
      status: change.status,
      error_message: change.errorMessage ?? null,
      completed_at: sql`callsheet_now()`,
      updated_at: sql`callsheet_now()`,
      ...(change.workflowRunId === undefined
        ? {}
        : { workflow_id: change.workflowId ?? null, workflow_run_id: change.workflowRunId }),
    })
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where(stillExactly(expected))
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
