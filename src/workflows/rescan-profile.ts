import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

/** A worker that dies in a round is noticed after this long, and not only after the round's whole limit. */
export const ROUND_HEARTBEAT_MS = 30_000;

/** A round: a time limit and one attempt; Temporal never repeats it (spec 30). The loop's next round is its second attempt. */
export function roundProfile(limitMs: number): ActivityOptions {
  return {
    startToCloseTimeout: limitMs,
    heartbeatTimeout: ROUND_HEARTBEAT_MS,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { maximumAttempts: 1 },
  };
}
