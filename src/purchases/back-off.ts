const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Longer than a step may wait: the run stops and says when to go on (cases C26). */
export const LONGEST_ADVISED_MS = 15 * 60_000;
/** Above this, setTimeout fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * How long to wait before try `attempt` + 1 (attempt from 1), in ms: twice as long each time, with jitter upwards of half, so that many
 * callers do not come back together; never less than what the provider advised.
 */
export function backOffMs(attempt: number, advisedMs: number | undefined, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  const own = full / 2 + (full / 2) * random;
  if (advisedMs === undefined) return own;
  return Math.min(LONGEST_TIMER_MS, Math.max(0, advisedMs) + (FIRST_MS / 2) * random + (advisedMs > 0 ? 0 : own));
}
