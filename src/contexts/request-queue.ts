/** Work that runs a few at once and waits in a queue of bounded length; what does not fit is refused at once, never kept. */
export class RequestQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly whenIdle: (() => void)[] = [];

  constructor(private readonly limits: { readonly concurrentRequests: number; readonly queueLength: number }) {}

  /** Runs the work as soon as there is room; null: the queue is full, and the work was not begun. */
  run<T>(work: () => Promise<T>): Promise<T> | null {
    if (this.running < this.limits.concurrentRequests) return this.begin(work);
    if (this.waiting.length >= this.limits.queueLength) return null;
    return new Promise<T>((resolve, reject) => {
      this.waiting.push(() => void this.begin(work).then(resolve, reject));
    });
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => this.whenIdle.push(resolve));
  }

  private async begin<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.next();
    }
  }

  private next(): void {
    const begin = this.waiting.shift();
    if (begin) begin();
    else if (this.running === 0) for (const tell of this.whenIdle.splice(0)) tell();
  }
}
