import { z } from 'zod';
import { decisionBody } from './decision';

/** `run`, and what a start answers over HTTP (spec 50). */
export const runBody = z.strictObject({
  workflowId: z.string(),
  /** null: nothing was started, or the run is refused. */
  runId: z.string().nullable(),
  /** The run in Temporal's own UI; null where no UI is known. */
  url: z.string().nullable(),
  decisions: z.array(decisionBody),
  /** Step id to status, once the run has ended. */
  result: z.record(z.string(), z.string()).optional(),
});

export type RunBody = z.infer<typeof runBody>;
