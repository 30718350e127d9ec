import type { Tx } from '../db/pool';
import { canonicalJson } from '../domain/canonical';
import type { StepKey } from '../ledger/key';

/** Where a result came from. */
export interface ItemOrigin {
  readonly requestHash: string;
  readonly generation: number;
  readonly purchaseId: string | null;
}

/** Looks up, among all that was ever kept of a step, where a result of an item came from; undefined: nobody knows. */
export type ItemOrigins = (itemId: string, result: unknown) => ItemOrigin | undefined;

/** Every result that was kept of a step's items, archived ones too; the newest of equal ones counts (spec 20 "Snapshots"). */
export async function originsOfItems(tx: Tx, key: StepKey): Promise<ItemOrigins> {
  const rows = await tx
    .selectFrom('item_result')
    .select(['item_id', 'result', 'request_hash', 'generation', 'purchase_id'])
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('status', '=', 'done')
    .orderBy('id')
    .execute();
  const origins = new Map<string, ItemOrigin>();
  for (const row of rows) {
    const name = nameOf(row.item_id, parsed(row.result));
    origins.set(name, { requestHash: row.request_hash, generation: row.generation, purchaseId: row.purchase_id });
  }
  return (itemId, result) => origins.get(nameOf(itemId, result));
}

function nameOf(itemId: string, result: unknown): string {
  return canonicalJson([itemId, result]);
}

/** A result that is no JSON any more equals none. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}
