import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { STEP_IDS, isStepId } from '../domain/steps';
import { lockRowsInOrder } from '../ledger/lock-rows';
import { lockRun } from './open-runs';

export interface CancelWrite {
  readonly workflowRunId: string;
  /** Steps, or '*' for everything. */
  readonly steps: readonly string[];
  readonly by: string;
}

/**
 * Writes a cancel of one open run (spec 15 "Cancel"): the run's row locked FOR UPDATE, so that every claim, adoption and
 * `sent` either came before, or sees it. Never cleared; twice is fine. False: the run has ended, and nothing is written.
 */
export async function writeCancel(tx: Tx, cancel: CancelWrite): Promise<boolean> {
  const run = await lockRun(tx, cancel.workflowRunId);
  if (!run || run.ended_at !== null) return false;
  await tx
    .insertInto('run_cancel')
    .values(cancel.steps.map((step) => ({ workflow_run_id: cancel.workflowRunId, step, by: cancel.by })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

/** Shows the cancel on the rows that run; steps null: on all of the episode's. Locked in manifest order. Answers the steps marked. */
export async function markRunningRows(
  tx: Tx,
  episode: { readonly projectId: string; readonly episodeId: string },
  steps: readonly string[] | null,
): Promise<readonly string[]> {
  await lockRowsInOrder(
    tx,
    episode,
    new Map((steps ?? STEP_IDS).filter(isStepId).map((step) => [step, 'update' as const])),
  );
  let query = tx
    .updateTable('step_run')
    .set({ cancel_requested_at: sql`COALESCE(cancel_requested_at, callsheet_now())` })
    .where('project_id', '=', episode.projectId)
    .where('episode_id', '=', episode.episodeId)
    .where('status', '=', 'running');
  if (steps) query = query.where('step_id', 'in', [...steps]);
  const marked = await query.returning('step_id').execute();
  return marked.map((row) => row.step_id);
}

/** What the workflow writes when it is told by signal or by Temporal's own Cancel. */
export function recordCancel(
  db: Db,
  episode: { readonly projectId: string; readonly episodeId: string },
  cancel: { readonly workflowRunId: string; readonly steps: readonly string[] | null; readonly by: string },
): Promise<void> {
  return shortTransaction(db, 'Recording a cancel', async (tx) => {
    if (!(await writeCancel(tx, { workflowRunId: cancel.workflowRunId, steps: cancel.steps ?? ['*'], by: cancel.by })))
      return;
    const own = await tx
      .selectFrom('step_run')
      .select('step_id')
      .where('project_id', '=', episode.projectId)
      .where('episode_id', '=', episode.episodeId)
      .where('workflow_run_id', '=', cancel.workflowRunId)
      .where('status', '=', 'running')
      .execute();
    const covered = own
      .map((row) => row.step_id)
      .filter((step) => cancel.steps === null || cancel.steps.includes(step));
    if (covered.length > 0) await markRunningRows(tx, episode, covered);
  });
}
