import type { Tx } from '../db/pool';
import type { StepKey } from '../ledger/key';
import { makeRowStale } from '../ledger/make-row-stale';
import { readRow } from '../ledger/read-rows';
import { markStale, markToggled, type MarkingAct } from '../store/stale-marks';
import { expandStaleRow } from './stale-row';

/**
 * Marks some items of a step at rest, and makes its row stale (spec 20 "Items"). A row that was set stale by hand means all its
 * items: that meaning is kept before the first mark would narrow it. Without items the row stays as it is: a stale row without
 * marks would mean all of them. The caller has locked the row.
 */
export async function markItemsStale(
  tx: Tx,
  key: StepKey,
  act: MarkingAct,
  requestId: string | null,
  items: readonly string[],
): Promise<void> {
  if (items.length === 0) return;
  await keepMeaning(tx, key);
  await markStale(tx, key, act, requestId, items);
  await makeRowStale(tx, key);
}

/** A shot was switched: one item, with or without a result. */
export async function markItemToggled(tx: Tx, key: StepKey, item: string): Promise<void> {
  await keepMeaning(tx, key);
  await markToggled(tx, key, item);
  await makeRowStale(tx, key);
}

async function keepMeaning(tx: Tx, key: StepKey): Promise<void> {
  const { row } = await readRow(tx, key);
  await expandStaleRow(tx, key, row?.status);
}
