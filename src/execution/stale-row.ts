import type { Tx } from '../db/pool';
import { WHOLE_STEP } from '../store/generations';
import type { StepKey } from '../ledger/key';
import { clearMarks, markStale, staleMarks } from '../store/stale-marks';

/**
 * A stale row without marks was set by hand and means all its items; a mark '*' means the same (spec 20 "Items"). Where a claim
 * or a write without one takes the row out of `stale`, both become a mark for each item that has a result, so that the marks
 * outlive the row's status. `statusBefore`: what the row was; undefined: there was none.
 */
export async function expandStaleRow(tx: Tx, key: StepKey, statusBefore: string | undefined): Promise<void> {
  const marks = await staleMarks(tx, key);
  const meansAll = marks.has(WHOLE_STEP) || (marks.size === 0 && statusBefore === 'stale');
  if (!meansAll) return;
  await markStale(tx, key, 'stale_row', null);
  await clearMarks(tx, key, [WHOLE_STEP]);
}
