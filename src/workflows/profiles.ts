import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

/** Timeouts and retries by name, in one place (spec 15). What is retryable is decided by the error registry, in src/activities. */

export interface ProfileTimes {
  readonly leaseSeconds: number;
  readonly sweepSeconds: number;
}

/** For the first hour, a run that waits to close looks at least this often. */
const CLOSE_AGAIN_MS = 60_000;

/**
 * A run that waits to close looks again after a sweep, and the longer it has waited the more rarely: a row that only a person can
 * judge may stand for weeks, and a history has an end. It is never late by more than a sixtieth of what it has waited.
 */
export function closeAgainAfterMs(waitedMs: number, { sweepSeconds }: Pick<ProfileTimes, 'sweepSeconds'>): number {
  const soon = Math.min(CLOSE_AGAIN_MS, waitedMs / 4);
  return Math.round(Math.max(sweepSeconds * 1_000, soon, waitedMs / 60));
}

/** No maximum of attempts: the ledger bounds them (spec 15). */
function retries({ sweepSeconds }: ProfileTimes): ActivityOptions['retry'] {
  return { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: `${sweepSeconds}s` };
}

/** A step: paid work of hours. */
export function stepProfile(activityId: string, times: ProfileTimes): ActivityOptions {
  return {
    activityId,
    heartbeatTimeout: `${times.leaseSeconds}s`,
    startToCloseTimeout: '24h',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: retries(times),
  };
}

/** Reads and short writes. */
export function shortProfile(activityId: string, times: ProfileTimes): ActivityOptions {
  return {
    activityId,
    startToCloseTimeout: '60s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: retries(times),
  };
}
