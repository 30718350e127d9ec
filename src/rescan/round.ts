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

/**
 * One round (spec 30): finalize, then claim, then ask again for what was claimed, a few at once. Finalize comes first as defence
 * in depth, so that a row is never failed by the round that claims it. Throws what finalize and claim throw; whatever happens to
 * one claimed row leaves the others alone.
 */
export async function runRound(steps: RoundSteps, options: RoundOptions): Promise<RoundCounts> {
  const { log, stop } = options;
  const begunMs = options.monotonicMs();
  const finalized = await finalizeAll(steps, options);
  const claimed = stop.aborted ? [] : await steps.claim();
  const tally = { sent: 0, inconsistent: 0, unneeded: 0, failures: {} as Partial<Record<AskFailure, number>> };
  const left = await inParallel(claimed, options.concurrentRequests, stop, async (row) => {
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
  const failed = Object.values(tally.failures).reduce((sum, count) => sum + count, 0);
  const durationMs = Math.round(options.monotonicMs() - begunMs);
  const counts: RoundCounts = { finalized, claimed: claimed.length, ...tally, failed, left, durationMs };
  log.info(counts, 'rescan round');
  return counts;
}

async function finalizeAll(steps: RoundSteps, { batchSize, log, stop }: RoundOptions): Promise<number> {
  let finalized = 0;
  while (!stop.aborted) {
    const rows = await steps.finalizeBatch();
    for (const row of rows) tellFinalized(log, row);
    finalized += rows.length;
    // A batch that is not full was the last: rows held elsewhere are skipped, not waited for.
    if (rows.length < batchSize) break;
  }
  return finalized;
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
