import type { Context } from '@temporalio/activity';

export interface Progress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

/**
 * Temporal's heartbeats of the attempts under way, with the progress as details. They go out on each beat of the ledger's
 * heartbeat, a failed one too (spec 10 "Heartbeat"), and on each finished item.
 */
export class ActivityHeartbeats {
  private readonly attempts = new Map<Context, Progress>();

  begin(context: Context): (done: number, failed: number, total: number) => void {
    this.attempts.set(context, { done: 0, failed: 0, total: 0 });
    return (done, failed, total) => {
      this.attempts.set(context, { done, failed, total });
      context.heartbeat({ done, failed, total });
    };
  }

  end(context: Context): void {
    this.attempts.delete(context);
  }

  tick(): void {
    for (const [context, progress] of this.attempts) context.heartbeat(progress);
  }
}
