import type { AiSettings, RescanSettings } from '../config';

/** What a round may take of the database, in milliseconds, besides its requests. */
const DATABASE_MS = 60_000;

/**
 * The time limit of a round, in milliseconds: twice what a full batch takes of a service that answers each request at the last
 * moment. A round beyond it hangs, and is given up (spec 30 "As a Temporal workflow").
 */
export function roundLimitMs(
  rescan: Pick<RescanSettings, 'batchSize'>,
  ai: Pick<AiSettings, 'timeoutMs' | 'concurrentRequests'>,
): number {
  return DATABASE_MS + 2 * Math.ceil(rescan.batchSize / ai.concurrentRequests) * ai.timeoutMs;
}
