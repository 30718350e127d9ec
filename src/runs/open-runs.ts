import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { RunTable } from '../db/tables';
import type { RunState } from '../domain/status';

export type Run = Selectable<RunTable>;

/** The runs of an episode that have not ended. */
export function openRunsOf(db: Db | Tx, projectId: string, episodeId: string): Promise<Run[]> {
  return db
    .selectFrom('run')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .where('ended_at', 'is', null)
    .orderBy('opened_at')
    .execute();
}

export function runByRequest(db: Db | Tx, requestId: string): Promise<Run | undefined> {
  return db.selectFrom('run').selectAll().where('request_id', '=', requestId).executeTakeFirst();
}

export function runById(db: Db | Tx, workflowRunId: string): Promise<Run | undefined> {
  return db.selectFrom('run').selectAll().where('workflow_run_id', '=', workflowRunId).executeTakeFirst();
}

/** Locks a run's row, before any row of step_run (spec 10 "The fence"). */
export function lockRun(tx: Tx, workflowRunId: string): Promise<Run | undefined> {
  return tx.selectFrom('run').selectAll().where('workflow_run_id', '=', workflowRunId).forUpdate().executeTakeFirst();
}

/** Ends a run; one that has ended stays as it is. */
export async function endRun(db: Db | Tx, workflowRunId: string, state: RunState): Promise<void> {
  await db
    .updateTable('run')
    .set({ ended_at: sql`callsheet_now()`, state })
    .where('workflow_run_id', '=', workflowRunId)
    .where('ended_at', 'is', null)
    .execute();
}
