import type { Tx } from '../db/pool';
import type { StepRun } from '../db/tables';
import { STEP_IDS, type StepId } from '../domain/steps';

/**
 * Locks several rows of an episode in manifest order, before any of them is written, so that two transactions can never wait
 * for each other (spec 10 "The fence"). Rows that do not exist are left out of the answer.
 */
export async function lockRowsInOrder(
  tx: Tx,
  episode: { readonly projectId: string; readonly episodeId: string },
  modes: ReadonlyMap<StepId, 'share' | 'update'>,
): Promise<ReadonlyMap<StepId, StepRun>> {
  const locked = new Map<StepId, StepRun>();
  for (const step of STEP_IDS) {
    const mode = modes.get(step);
    if (!mode) continue;
    const query = tx
      .selectFrom('step_run')
      .selectAll()
      .where('project_id', '=', episode.projectId)
      .where('episode_id', '=', episode.episodeId)
      .where('step_id', '=', step);
    const row = await (mode === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirst();
    if (row) locked.set(step, row);
  }
  return locked;
}
