import { z } from 'zod';

/** How the service can be told to misbehave, for tests and demonstrations (spec 30). */
export const faultSchema = z.strictObject({
  fault: z.enum([
    /** Answers with `status` and does nothing. */
    'refuse',
    /** Takes the request and never answers. */
    'hang',
    /** Answers 202 after `delayMs`. */
    'delay',
    /** Answers 202, does nothing, and tells nobody. */
    'lose',
    /** Reports PROCESSING, and then nothing more. */
    'stall',
    /** Finishes the embedding; of the summary nothing is heard after PROCESSING. */
    'half',
    /** Reports FAILED with `reason`. */
    'fail',
  ]),
  /** So many requests; absent: all until the faults are cleared. */
  times: z.number().int().positive().optional(),
  /** Only requests about this context. */
  contextId: z.string().optional(),
  status: z.number().int().min(300).max(599).default(500),
  delayMs: z.number().int().min(0).max(600_000).default(0),
  reason: z.string().min(1).default('told to fail'),
});

export type Fault = z.output<typeof faultSchema>;

/** The faults that are ordered; the oldest that fits a request is used. */
export class Faults {
  private ordered: { readonly fault: Fault; left: number }[] = [];

  order(fault: Fault): void {
    this.ordered.push({ fault, left: fault.times ?? Infinity });
  }

  /** What becomes of this request; null: it is served well. */
  take(contextId: string): Fault | null {
    const found = this.ordered.find(({ fault }) => fault.contextId === undefined || fault.contextId === contextId);
    if (!found) return null;
    found.left -= 1;
    if (found.left <= 0) this.ordered = this.ordered.filter((one) => one !== found);
    return found.fault;
  }

  clear(): void {
    this.ordered = [];
  }

  list(): readonly Fault[] {
    return this.ordered.map(({ fault }) => fault);
  }
}
