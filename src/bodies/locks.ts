import { z } from 'zod';
import { timeText } from './amounts';
import { ownerBody } from './owner';

/** One running row, and what this process makes of its owner (spec 10 "Locks", spec 50). */
export const lockBody = z.strictObject({
  /** The row's id in step_run: what `release --row` takes. */
  id: z.string(),
  recoveryCount: z.number().int(),
  projectId: z.string().nullable(),
  episodeId: z.string().nullable(),
  stepId: z.string(),
  runId: z.string().nullable(),
  owner: ownerBody.nullable(),
  startedAt: timeText.nullable(),
  heartbeatAt: timeText.nullable(),
  cancelRequestedAt: timeText.nullable(),
  verdict: z.enum(['alive', 'dead', 'unknown']),
  branch: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)]),
  proof: z.enum(['registry', 'pid', 'heartbeat', 'lease', 'legacy_timeout']),
  /** null where the time is missing or cannot be read. */
  ages: z.strictObject({ startedSeconds: z.number().nullable(), heartbeatSeconds: z.number().nullable() }),
  reason: z.string(),
});

/** Through whose eyes a lock was judged (spec 10 "The verdict"). */
export const seenByBody = z.strictObject({ role: z.string(), host: z.string(), pid: z.number().int() });

/** `locks`, `GET …/steps/locks` and `GET /api/v1/locks` (spec 50). */
export const locksBody = z.strictObject({ now: timeText, seenBy: seenByBody, locks: z.array(lockBody) });

export type LockBody = z.infer<typeof lockBody>;
export type LocksBody = z.infer<typeof locksBody>;
