import { z } from 'zod';
import { lockBody } from './locks';
import { storedId, textUpTo } from './text';

/** `POST …/release` (spec 10 "Release"). With `force`, `reason` and the `runId` that was seen are needed. */
export const releaseRequest = z.strictObject({
  force: z.boolean().optional(),
  /** The run id that the locks showed; for a row without one, its row id. */
  runId: storedId.optional(),
  reason: textUpTo(2_000).optional(),
});

export const releaseBody = z.strictObject({
  released: z.literal(true),
  verdict: lockBody.shape.verdict,
  branch: lockBody.shape.branch,
  reason: z.string(),
  /** Where Temporal was not told: the row is free all the same. */
  warning: z.string().optional(),
});

export type ReleaseRequestBody = z.infer<typeof releaseRequest>;
export type ReleaseBody = z.infer<typeof releaseBody>;
