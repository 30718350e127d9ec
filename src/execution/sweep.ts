import type { Logger } from '../observability/logger';

/**
 * Repeats the sweep every `sweepSeconds`, one at a time (spec 10 "Sweep"). What a database failure left over, the next one
 * finishes; an error is logged and counted, never fatal.
 */
export class Sweep {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly options: { readonly sweepSeconds: number; readonly log: Logger; sweep(): Promise<void> },
  ) {}

  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.once().finally(() => this.start());
    }, this.options.sweepSeconds * 1_000);
  }

  private async once(): Promise<void> {
    try {
      await this.options.sweep();
    } catch (error) {
      this.options.log.warn({ err: error }, 'a sweep failed; the next one goes on');
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }
}
