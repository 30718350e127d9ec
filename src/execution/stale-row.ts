import type { Tx } from '../db/pool';
import { WHOLE_STEP } from '../store/generations';
import type { StepKey } from '../ledger/key';
import { clearMarks, markStale, staleMarks } from '../store/stale-marks';

/**
 * A stale row without marks was set by hand and means all its items; a mark '*' means the same (spec 20 "Items"). At the claim
 * both become a mark for each item that has a result, so that the marks outlive the row's status.
 */
export async function expandStaleRow(tx: Tx, key: StepKey): Promise<void> {
  const marks = await staleMarks(tx, key);
  if (marks.size > 0 && !marks.has(WHOLE_STEP)) return;
  await markStale(tx, key, 'stale_row', null);
  await clearMarks(tx, key, [WHOLE_STEP]);
}
