import os from 'node:os';

/**
 * Milliseconds since this machine was started, its sleep included: `performance.now()` stands still while a machine is suspended,
 * and what was read before would pass for fresh (spec 10 "Acting on a death by heartbeat", spec 40: the send window). No change
 * of the wall clock moves it. Exact to 10 ms
 * on Linux, and to a second on macOS.
 */
export function sinceBootMs(): number {
  return os.uptime() * 1_000;
}
