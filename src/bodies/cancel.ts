import { z } from 'zod';

/** `cancel` and `POST …/cancel` (spec 15 "Cancel"): asked for, and it stands. */
export const cancelBody = z.strictObject({
  state: z.literal('requested'),
  /** What will end: running now, or ahead in an open run. */
  steps: z.array(z.string()),
  /** Workflow runs that it covers. */
  runs: z.array(z.string()),
  warning: z.string().optional(),
});

export type CancelBody = z.infer<typeof cancelBody>;
