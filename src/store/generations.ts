import type { Db, Tx } from '../db/pool';
import type { StepKey } from '../ledger/key';

/** Names the whole step in a request to force. */
export const WHOLE_STEP = '*';

export interface Generations {
  /** An item's generation: the number of obeyed requests that name its step or itself (spec 20 "Force is obeyed once"). */
  of(itemId: string): number;
  /** Whether this request has been obeyed for the step or any of its items. */
  obeyed(requestId: string): boolean;
}

export async function readGenerations(db: Db | Tx, key: StepKey): Promise<Generations> {
  const rows = await db
    .selectFrom('generation')
    .select(['item_id', 'request_id'])
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .execute();
  return {
    of: (itemId) => rows.filter((row) => row.item_id === WHOLE_STEP || row.item_id === itemId).length,
    obeyed: (requestId) => rows.some((row) => row.request_id === requestId),
  };
}

/** Notes that a request to force is obeyed, and so opens a generation; in one transaction with the claim. */
export async function openGeneration(tx: Tx, key: StepKey, requestId: string, items: readonly string[]): Promise<void> {
  await tx
    .insertInto('generation')
    .values(
      items.map((item) => ({
        project_id: key.projectId,
        episode_id: key.episodeId,
        step_id: key.stepId,
        item_id: item,
        request_id: requestId,
      })),
    )
    .execute();
}
