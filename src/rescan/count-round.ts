import { addToCounters } from '../contexts/counters';
import type { Db } from '../db/pool';
import type { RoundCounts } from './round-counts';

/** Adds a round to the sums that metrics show; `failedBefore`: rounds that failed since the last one that ended well. */
export async function countRound(db: Db, counts: RoundCounts, failedBefore: number): Promise<void> {
  await addToCounters(db, [
    { name: 'rounds', label: 'done', by: 1 },
    { name: 'rounds', label: 'failed', by: failedBefore },
    { name: 'round_seconds', label: '', by: counts.durationMs / 1_000 },
    { name: 'rows', label: 'finalized', by: counts.finalized },
    { name: 'rows', label: 'claimed', by: counts.claimed },
    { name: 'rows', label: 'inconsistent', by: counts.inconsistent },
    { name: 'rows', label: 'unneeded', by: counts.unneeded },
    { name: 'requests', label: 'sent', by: counts.sent },
    ...Object.entries(counts.failures).map(([reason, by]) => ({ name: 'requests', label: reason, by })),
  ]);
}
