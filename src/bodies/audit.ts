import { z } from 'zod';
import { lockBody } from './locks';

/** `audit` (spec 20 "Before the first deployment"): every running row in exactly one of four lists. */
export const auditBody = z.strictObject({
  healthy: z.array(lockBody),
  stale: z.array(lockBody),
  unparsable: z.array(lockBody),
  withoutStart: z.array(lockBody),
});

export type AuditBody = z.infer<typeof auditBody>;
