import type { ProviderLimits } from '../providers/port';

const MINUTE_MS = 60_000;

/** Until somebody leaves, when nobody knows when that is. */
export const UNTIL_SOMEBODY_LEAVES = Infinity;

/** Counts the calls of one provider in this process; all times in ms on the monotonic clock. No waiting happens in here. */
export class Gate {
  private running = 0;
  /** When the calls of the last minute were let in, oldest first. */
  private readonly letInAtMs: number[] = [];
  /** First come, first served. A ticket leaves the queue in the moment in which its call is counted. */
  private readonly queue: symbol[] = [];
  private pausedUntilMs = -Infinity;
  private wakers: (() => void)[] = [];

  join(): symbol {
    const ticket = Symbol('ticket');
    this.queue.push(ticket);
    return ticket;
  }

  leaveQueue(ticket: symbol): void {
    const place = this.queue.indexOf(ticket);
    if (place >= 0) this.queue.splice(place, 1);
    this.wake();
  }

  pauseUntil(atMs: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, atMs);
  }

  /** How long the provider wants to be left alone; 0 or less: not at all. */
  pausedForMs(nowMs: number): number {
    return this.pausedUntilMs - nowMs;
  }

  /** How long until this ticket may go in, as far as it is known; 0: now. */
  remainingMs(ticket: symbol, limits: ProviderLimits, nowMs: number): number {
    const pausedMs = this.pausedForMs(nowMs);
    if (pausedMs > 0) return pausedMs;
    while (this.letInAtMs[0] !== undefined && this.letInAtMs[0] <= nowMs - MINUTE_MS) this.letInAtMs.shift();
    const place = this.queue.indexOf(ticket);
    if (this.running + place >= limits.concurrentCalls) return UNTIL_SOMEBODY_LEAVES;
    const over = this.letInAtMs.length + place - limits.callsPerMinute;
    if (over < 0) return 0;
    const oldest = this.letInAtMs[over];
    return oldest === undefined ? UNTIL_SOMEBODY_LEAVES : oldest + MINUTE_MS - nowMs;
  }

  goIn(ticket: symbol, nowMs: number): void {
    this.running += 1;
    this.letInAtMs.push(nowMs);
    this.leaveQueue(ticket);
  }

  goOut(): void {
    this.running -= 1;
    this.wake();
  }

  /** The call that was let in then has not happened. */
  forget(letInAtMs: number): void {
    const place = this.letInAtMs.lastIndexOf(letInAtMs);
    if (place >= 0) this.letInAtMs.splice(place, 1);
  }

  /** Resolves when somebody leaves, or the queue moves. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.wakers.push(resolve));
  }

  private wake(): void {
    const wakers = this.wakers;
    this.wakers = [];
    for (const waker of wakers) waker();
  }
}
