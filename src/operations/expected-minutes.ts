import { parseTime } from '../domain/time';
import { CALLS_AT_ONCE } from '../execution/run-calls';
import type { ProviderLimits } from '../providers/port';
import type { CallTime } from '../purchases/call-times';

/** Average seconds of a call of each step, by the database's clock; a step that nobody has called is absent. */
export function callSecondsByStep(calls: readonly CallTime[]): ReadonlyMap<string, number> {
  const seconds = new Map<string, number[]>();
  for (const call of calls) {
    const [sent, settled] = [parseTime(call.sent_at), parseTime(call.settled_at ?? '')];
    if (sent === null || settled === null || settled < sent) continue;
    seconds.set(call.step_id, [...(seconds.get(call.step_id) ?? []), (settled - sent) / 1_000]);
  }
  return new Map([...seconds].map(([step, all]) => [step, all.reduce((sum, one) => sum + one, 0) / all.length]));
}

/**
 * Minutes that the calls of one step take, so many at once and so many a minute as step and provider allow (spec 40 "Limits"); null:
 * no call of it has been settled here yet. `limitsOf` is asked only where there are calls: a provider of which nothing is bought need not
 * be set up.
 */
export function expectedMinutes(
  calls: number,
  callSeconds: number | undefined,
  limitsOf: () => ProviderLimits,
): number | null {
  if (calls === 0) return 0;
  if (callSeconds === undefined) return null;
  const { concurrentCalls, callsPerMinute } = limitsOf();
  const rounds = Math.ceil(calls / Math.min(CALLS_AT_ONCE, concurrentCalls));
  // So many leave at the begin of each minute; the last ones take their own time.
  const minutesOfLimit = Math.floor((calls - 1) / callsPerMinute) + callSeconds / 60;
  return rounded(Math.max((rounds * callSeconds) / 60, minutesOfLimit));
}

/** One step after the other, which is the longest that they take together; null where one of them is not known. */
export function totalMinutes(steps: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const minutes of steps) {
    if (minutes === null) return null;
    sum += minutes;
  }
  return rounded(sum);
}

function rounded(minutes: number): number {
  return Math.round(minutes * 100) / 100;
}
