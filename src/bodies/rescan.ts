import { z } from 'zod';
import { count, timeText } from './amounts';
import { contextBody } from './contexts';

const counts = z.strictObject({
  finalized: count,
  claimed: count,
  sent: count,
  failed: count,
  /** Reason → requests. */
  failures: z.record(z.string(), count),
  inconsistent: count,
  unneeded: count,
  left: count,
  durationMs: z.number(),
});

export const roundBody = z.strictObject({
  startedAt: timeText,
  endedAt: timeText,
  /** null where the round failed or hung. */
  counts: counts.nullable(),
  failure: z.string().nullable(),
});

/** The durable loop as its workflow tells it (spec 30). */
export const loopBody = z.strictObject({
  state: z.enum(['waiting', 'running', 'paused']),
  workflowId: z.string(),
  url: z.string().nullable(),
  roundsBegun: count,
  roundsFailed: count,
  lastRound: roundBody.nullable(),
  nextDueAt: timeText.nullable(),
  intervalMs: z.number(),
});

const byStatus = z.strictObject({
  PENDING: count,
  PROCESSING: count,
  COMPLETED: count,
  FAILED: count,
  CANCELLED: count,
});

/** `rescan status` and `GET /api/v1/rescan`. */
export const rescanBody = z.strictObject({
  now: timeText,
  deployment: z.string(),
  /** null: Temporal is not reachable from here, no worker answers for the loop, or it does not run. */
  loop: loopBody.nullable(),
  stages: z.strictObject({ embedding: byStatus, summary: byStatus }),
  /** retry_count → rows. */
  retryCounts: z.record(z.string(), count),
  /** Retries spent, and a stage still owed: must fall to 0 within an interval. */
  exhausted: count,
  /** Expired rows that wait for a round. */
  expired: count,
  /** Since the beginning, of all processes. */
  totals: z.strictObject({
    roundsDone: count,
    roundsFailed: count,
    roundSeconds: z.number(),
    rows: z.record(z.string(), count),
    requests: z.record(z.string(), count),
  }),
  /** Contexts that a person may ask for again, newest first; at most 100. */
  failed: z.array(contextBody),
});

/** `rescan run|pause|resume` and `POST /api/v1/rescan/{act}`. */
export const rescanActBody = z.strictObject({ act: z.enum(['run', 'pause', 'resume']), workflowId: z.string() });

/** `rescan retry`: the contexts that are asked for again. */
export const retriedBody = z.strictObject({ retried: z.array(contextBody) });

export type RoundBody = z.infer<typeof roundBody>;
export type LoopBody = z.infer<typeof loopBody>;
export type RescanBody = z.infer<typeof rescanBody>;
export type RescanActBody = z.infer<typeof rescanActBody>;
export type RetriedBody = z.infer<typeof retriedBody>;
