import type { Tx } from '../db/pool';
import type { StepKey } from '../ledger/key';
import { makeRowStale } from '../ledger/make-row-stale';
import { readRow } from '../ledger/read-rows';
import { WHOLE_STEP } from '../store/generations';
import { keptItems } from '../store/items';
import { markStale, markToggled, type MarkingAct } from '../store/stale-marks';
import { keptReaders, type Readers } from './dependents';
import { expandStaleRow } from './stale-row';

/**
 * Marks some items of a step at rest, and makes its row stale (spec 20 "Items"). A row that was set stale by hand means all its
 * items: that meaning is kept before the first mark would narrow it. Without items the row stays as it is: a stale row without
 * marks would mean all of them. The caller has locked the row.
 */
export async function markItemsStale(
  tx: Tx,
  key: StepKey,
  act: Exclude<MarkingAct, 'toggle'>,
  requestId: string | null,
  items: readonly string[],
): Promise<void> {
  if (items.length === 0) return;
  await keepMeaning(tx, key);
  await markStale(tx, key, act, requestId, items);
  await makeRowStale(tx, key);
}

/**
 * Marks what reads a change that this transaction makes (spec 20 "Items"). Of a step at rest, what is kept; its row becomes stale.
 * Of one that runs, what it has no result of, too: its request may be on its way, with the words of before. Where nobody can
 * tell which read it: '*'. Its owner ends after this commit, and finds the marks. The caller has locked the row.
 */
export async function markReadersStale(
  tx: Tx,
  key: StepKey,
  act: Exclude<MarkingAct, 'toggle'>,
  readers: Readers,
  status: string | undefined,
): Promise<void> {
  if (status === 'running') return markStale(tx, key, act, null, readers ?? [WHOLE_STEP]);
  await markItemsStale(tx, key, act, null, keptReaders(readers, await keptItems(tx, key)));
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
