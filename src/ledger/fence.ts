import type { Tx } from '../db/pool';
import type { Held } from './held';

/**
 * Locks the held row FOR SHARE in this transaction, so that no steal can slip in before the commit (an EXISTS alone lets it).
 * False: ownership was lost, write nothing (spec 10 "The fence").
 */
export async function shareHeldRow(tx: Tx, held: Held): Promise<boolean> {
  const row = await tx
    .selectFrom('step_run')
    .select('id')
    .where('project_id', '=', held.projectId)
    .where('episode_id', '=', held.episodeId)
    .where('step_id', '=', held.stepId)
    .where('run_id', '=', held.runId)
    .where('owner_boot_id', '=', held.bootId)
    .where('status', '=', 'running')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** The same FOR UPDATE: for a transaction that goes on to write the row itself. False: ownership was lost. */
export async function lockHeldRow(tx: Tx, held: Held): Promise<boolean> {
  const row = await tx
    .selectFrom('step_run')
    .select('id')
    .where('project_id', '=', held.projectId)
    .where('episode_id', '=', held.episodeId)
    .where('step_id', '=', held.stepId)
    .where('run_id', '=', held.runId)
    .where('owner_boot_id', '=', held.bootId)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
