import { addToCounters, raiseCounters } from '../contexts/counters';
import type { Db } from '../db/pool';
import type { Logger } from '../observability/logger';
import type { RoundCounts } from './round-counts';

interface Counting {
  readonly db: Db;
  readonly log: Logger;
}

/** Names of sums; their labels are the loops whose rounds they count. */
export const ROUNDS_DONE = 'rounds_done';
export const ROUNDS_FAILED = 'rounds_failed';

/** Adds what a round did to the sums that metrics show, however it ended. Never rejects. */
export async function countRound({ db, log }: Counting, counts: RoundCounts): Promise<void> {
  try {
    await addToCounters(db, [
      { name: 'round_seconds', label: '', by: counts.durationMs / 1_000 },
      { name: 'rows', label: 'finalized', by: counts.finalized },
      { name: 'rows', label: 'claimed', by: counts.claimed },
      { name: 'rows', label: 'inconsistent', by: counts.inconsistent },
      { name: 'rows', label: 'unneeded', by: counts.unneeded },
      { name: 'requests', label: 'sent', by: counts.sent },
      ...Object.entries(counts.failures).map(([reason, by]) => ({ name: 'requests', label: reason, by })),
    ]);
  } catch (error) {
    log.warn({ err: error }, 'the metrics lack this round: its counts could not be added');
  }
}

/**
 * Keeps how many rounds of a loop have ended, by how: the loop's own numbers, so that a round is counted once, whoever dies and
 * whatever is told twice. What cannot be kept now is told again by the next round. Never rejects.
 */
export async function keepRounds(
  { db, log }: Counting,
  { loop, done, failed }: { readonly loop: string; readonly done: number; readonly failed: number },
): Promise<void> {
  try {
    await raiseCounters(db, [
      { name: ROUNDS_DONE, label: loop, to: done },
      { name: ROUNDS_FAILED, label: loop, to: failed },
    ]);
  } catch (error) {
    log.warn({ err: error }, 'the rounds could not be counted: the next one counts them');
  }
}
