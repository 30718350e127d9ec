/** Lets so many at a time do something; the others wait in order. */
export class Turns {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  /** Null where it was given up before its turn came. Throws what the work throws. */
  async take<T>(work: () => Promise<T>, givenUp: AbortSignal): Promise<T | null> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return givenUp.aborted ? null : await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
