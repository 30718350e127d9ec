import type { Context } from '@temporalio/activity';
import type { Stop } from '../domain/stop';

/** Whether this process is asked to end (spec 15 "Cancel"). */
export interface ShutdownSignal {
  readonly requested: boolean;
}

/**
 * What Temporal and the process want of a running attempt. Only a cancellation that someone asked for cancels; shutdown,
 * timed out, reset, paused, not found hand the step back (spec 15 "Cancel").
 */
export function stopRequestedOf(context: Context, shutdown: ShutdownSignal): () => Stop | null {
  return () => {
    const details = context.cancellationDetails;
    if (context.cancellationSignal.aborted && details) {
      if (details.cancelRequested && !details.timedOut && !details.reset && !details.notFound)
        return { why: 'cancelled' };
      if (details.reset) return { why: 'handed_back', cause: 'reset' };
      if (details.timedOut) return { why: 'handed_back', cause: 'timed out' };
      if (details.paused) return { why: 'handed_back', cause: 'paused' };
      if (details.notFound) return { why: 'handed_back', cause: 'not found' };
    }
    if (shutdown.requested || context.cancellationDetails?.workerShutdown)
      return { why: 'handed_back', cause: 'shutdown' };
    return null;
  };
}
