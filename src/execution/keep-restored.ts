import type { Tx } from '../db/pool';
import type { Json } from '../domain/json';
import type { StepKey } from '../ledger/key';
import { canonicalJson } from '../domain/canonical';
import { keepItem, keptItems } from '../store/items';
import { originsOfItems } from '../store/past-items';
import { clearMarks } from '../store/stale-marks';

export interface RestoredItems {
  readonly results: ReadonlyMap<string, Json>;
  /** Hash of the request that would ask each item now: for a result that nobody knows the request of. */
  readonly requestHashes: ReadonlyMap<string, string>;
  readonly schemaVersion: number;
  /** Under which the restored results are kept. */
  readonly runId: string;
}

/**
 * What is kept of the items follows the restored body, each with the request that it came from, so that a later rerun does not
 * undo the restore (spec 20 "Snapshots"). A person's word settles what was to be looked at again: their own marks go.
 */
export async function keepRestoredItems(tx: Tx, key: StepKey, restored: RestoredItems): Promise<void> {
  const kept = await keptItems(tx, key);
  const originOf = await originsOfItems(tx, key);
  for (const [itemId, result] of restored.results) {
    const now = kept.get(itemId);
    if (
      now?.status === 'done' &&
      now.schemaVersion === restored.schemaVersion &&
      canonicalJson(now.result) === canonicalJson(result)
    )
      continue;
    const origin = originOf(itemId, result);
    await keepItem(tx, key, {
      itemId,
      status: 'done',
      requestHash: origin?.requestHash ?? restored.requestHashes.get(itemId) ?? '',
      schemaVersion: restored.schemaVersion,
      generation: origin?.generation ?? now?.generation ?? 0,
      result,
      errorCode: null,
      errorMessage: null,
      purchaseId: origin?.purchaseId ?? null,
      runId: restored.runId,
    });
  }
  await clearMarks(tx, key, [...restored.results.keys()]);
}
