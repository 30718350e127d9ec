import { z } from 'zod';
import { timeText } from './amounts';

/** One change of a step or of a run (spec 50 `GET /events`). Numbers are null for a run. */
export const eventBody = z.strictObject({
  /** Its place in the stream: what Last-Event-ID sends back. */
  id: z.string(),
  kind: z.enum(['step', 'run']),
  at: timeText,
  projectId: z.string().nullable(),
  episodeId: z.string().nullable(),
  stepId: z.string().nullable(),
  /** A step's status; of a run: open, or the state it ended with. */
  status: z.string(),
  runId: z.string().nullable(),
  workflow: z.strictObject({ id: z.string(), runId: z.string() }).nullable(),
  owner: z.strictObject({ host: z.string().nullable(), pid: z.number().int().nullable() }).nullable(),
  startedAt: timeText.nullable(),
  completedAt: timeText.nullable(),
  cancelRequestedAt: timeText.nullable(),
  applicableCount: z.number().int().nullable(),
  completedCount: z.number().int().nullable(),
  failedCount: z.number().int().nullable(),
  recoveryCount: z.number().int().nullable(),
  lastRecoveryReason: z.string().nullable(),
  errorMessage: z.string().nullable(),
});

export type EventBody = z.infer<typeof eventBody>;
