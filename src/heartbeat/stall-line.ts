/** pino's number of `error`. */
const ERROR_LEVEL = 50;

/**
 * The line by which the heartbeat's thread says that it stops, shaped as the logger's: the logger lives on the main thread, which
 * hangs, perhaps for ever (spec 10 "Heartbeat": "stops and says so").
 */
export function stallLine(silentMs: number, now: Date, pid: number): string {
  const msg = 'the main thread hangs: the heartbeat stops, the locks of this process will go stale';
  return `${JSON.stringify({ level: ERROR_LEVEL, time: now.toISOString(), role: 'worker', pid, silentMs, msg })}\n`;
}
