import type { AskOutcome } from '../contexts/ask';
import type { AskFailure } from '../domain/context-stages';
import type { Logger } from '../observability/logger';
import type { ClaimedRow } from './claim';
import type { FinalizedRow } from './finalize';
import { inParallel } from './in-parallel';
import type { RoundCounts } from './round-counts';

/** What a round is made of; src/rescan/open-round.ts makes them over the database and the AI service. */
export interface RoundSteps {
  /** One batch; called until a batch is not full. */
  finalizeBatch(): Promise<readonly FinalizedRow[]>;
  claim(): Promise<readonly ClaimedRow[]>;
  /** Never rejects. */
  ask(contextId: string, stop: AbortSignal): Promise<AskOutcome>;
  endOrphan(contextId: string): Promise<boolean>;
  /** Never rejects. */
  count(counts: RoundCounts): Promise<void>;
}

export interface RoundOptions {
  readonly batchSize: number;
  /** Requests at once. */
  readonly concurrentRequests: number;
  readonly log: Logger;
  /** Aborted: nothing more is begun. */
  readonly stop: AbortSignal;
  monotonicMs(): number;
}

/** What a round has done so far. */
interface Tally {
  finalized: number;
  claimed: number;
  sent: number;
  inconsistent: number;
  unneeded: number;
  left: number;
  readonly failures: Partial<Record<AskFailure, number>>;
}

/**
 * One round (spec 30): finalize, then claim, then ask again for what was claimed, a few at once. Finalize comes first as defence
 * in depth, so that a row is never failed by the round that claims it. Throws what finalize and claim throw; whatever happens to
 * one claimed row leaves the others alone. What was done until then is told and counted, however the round ends.
 */
export async function runRound(steps: RoundSteps, options: RoundOptions): Promise<RoundCounts> {
  const begunMs = options.monotonicMs();
  const tally: Tally = { finalized: 0, claimed: 0, sent: 0, inconsistent: 0, unneeded: 0, left: 0, failures: {} };
  let counts: RoundCounts;
  try {
    await perform(steps, options, tally);
  } finally {
    const failed = Object.values(tally.failures).reduce((sum, count) => sum + count, 0);
    counts = { ...tally, failed, durationMs: Math.round(options.monotonicMs() - begunMs) };
    options.log.info(counts, 'rescan round');
    await steps.count(counts);
  }
  return counts;
}

async function perform(steps: RoundSteps, options: RoundOptions, tally: Tally): Promise<void> {
  const { log, stop } = options;
  await finalizeAll(steps, options, tally);
  const claimed = stop.aborted ? [] : await steps.claim();
  tally.claimed = claimed.length;
  tally.left = await inParallel(claimed, options.concurrentRequests, stop, async (row) => {
    const asked = await steps.ask(row.contextId, stop);
    switch (asked.outcome) {
      case 'sent':
        tally.sent += 1;
        return;
      case 'failed':
        tally.failures[asked.reason] = (tally.failures[asked.reason] ?? 0) + 1;
        return;
      case 'nothing_owed':
        tally.unneeded += 1;
        return;
      case 'no_context':
        tally.inconsistent += 1;
        return handleMissing(steps, log, row, asked);
    }
  });
}

async function finalizeAll(steps: RoundSteps, { batchSize, log, stop }: RoundOptions, tally: Tally): Promise<void> {
  while (!stop.aborted) {
    const rows = await steps.finalizeBatch();
    for (const row of rows) tellFinalized(log, row);
    tally.finalized += rows.length;
    // A batch that is not full was the last: rows held elsewhere are skipped, not waited for.
    if (rows.length < batchSize) return;
  }
}

function tellFinalized(log: Logger, row: FinalizedRow): void {
  const { contextId, before, retryCount, requestId } = row;
  const nobodySaid = `nobody said why: look for request ${requestId ?? `of context ${contextId}`} in the AI service's log`;
  log.warn(
    { contextId, before, retryCount, requestId, lastFailure: row.lastFailure ?? nobodySaid },
    'lost work on a context is FAILED: its retries are spent',
  );
}

/** Stages are owed, and there is no live context: a delete that ended only half, or a row that somebody wrote by hand. */
async function handleMissing(
  steps: RoundSteps,
  log: Logger,
  { contextId }: ClaimedRow,
  missing: Extract<AskOutcome, { outcome: 'no_context' }>,
): Promise<void> {
  log.error(
    { contextId, stages: missing.statuses, deleted: missing.deleted },
    'work is owed on a context that is not there',
  );
  if (!missing.deleted) return; // no context at all: left to finalize
  try {
    await steps.endOrphan(contextId);
  } catch (error) {
    log.warn(
      { contextId, err: error },
      'the work on a deleted context could not be cancelled: the next round tries again',
    );
  }
}
