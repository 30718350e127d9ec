import { parseTime } from '../domain/time';

/** How numbers look to people. */

/** US dollars: cents, and more digits for less than a cent. */
export function money(usd: number): string {
  if (usd > 0 && usd < 0.01) return `$${usd.toFixed(4)}`;
  return `$${usd.toFixed(2)}`;
}

/** A span of time in at most two units: 8s, 1m20s, 2h05m, 3d4h. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h${two(Math.floor((whole % 3600) / 60))}m`;
  return `${Math.floor(whole / 86_400)}d${Math.floor((whole % 86_400) / 3600)}h`;
}

/** The age of a time of the ledger at the database's `now`; `?` where either is no time (spec 10 "Times"). */
export function age(time: string | null, now: string): string {
  if (time === null) return '-';
  const [at, until] = [parseTime(time), parseTime(now)];
  return at === null || until === null ? '?' : span((until - at) / 1000);
}

/** An age that was measured already; `?` where it could not be. */
export function measured(seconds: number | null): string {
  return seconds === null ? '?' : span(seconds);
}

/** `1 call`, `2 calls`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
