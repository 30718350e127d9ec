import type { SafePoint, Stop } from '../domain/stop';

export interface Clock {
  monotonicMs(): number;
  sleep(ms: number): Promise<void>;
}

/** The safe point is asked this often in every wait (spec 15 "Cancel"). */
export const POLL_MS = 1_000;

/** Waits for `ms`, or until a safe point stops it, at most one poll after it was asked for. Null: the time is over. */
export async function waitFor(clock: Clock, safePoint: SafePoint, ms: number): Promise<Stop | null> {
  const until = clock.monotonicMs() + ms;
  for (let rest = ms; rest > 0; rest = until - clock.monotonicMs()) {
    await clock.sleep(Math.min(POLL_MS, rest));
    const stop = await safePoint();
    if (stop) return stop;
  }
  return null;
}
