import { setTimeout as realTime } from 'node:timers/promises';

/** What a round takes of real time. A sleep is the subject here: while an activity runs, the time-skipping server skips nothing. */
export function takeRealTime(ms: number): Promise<void> {
  return realTime(ms);
}
