interface Sample {
  readonly atMs: number;
  readonly done: number;
}

/** The pace is taken from this long, so that a slow start or a pause is forgotten. */
const WINDOW_MS = 120_000;

/** How long the rest of a step will take, told from how fast its items have come lately. */
export class Pace {
  private samples: Sample[] = [];

  /** Notes how many items are done at a time of a monotonic clock. Fewer than before (a new attempt): begins anew. */
  note(atMs: number, done: number): void {
    const last = this.samples.at(-1);
    if (last && done < last.done) this.samples = [];
    if (this.samples.at(-1)?.done === done) return;
    this.samples.push({ atMs, done });
    const [, second] = this.samples;
    if (second && this.samples.length > 2 && atMs - second.atMs > WINDOW_MS) this.samples.shift();
  }

  /** Seconds until `total` items are done; null while there is no pace to tell it from. */
  secondsLeft(atMs: number, total: number): number | null {
    const [first] = this.samples;
    const last = this.samples.at(-1);
    if (!first || !last || last.done === first.done) return null;
    const msPerItem = (last.atMs - first.atMs) / (last.done - first.done);
    // What has passed since the newest item counts towards the next one, and never below zero.
    const left = Math.max(0, total - last.done) * msPerItem - Math.min(atMs - last.atMs, msPerItem);
    return Math.max(0, left) / 1000;
  }
}
