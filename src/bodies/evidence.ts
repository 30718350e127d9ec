import { z } from 'zod';

/** One piece of evidence of a decision: which key, which hash, which file (spec 20 "One judge"). */
export const evidenceBody = z.strictObject({
  what: z.string(),
  where: z.string().optional(),
  expected: z.string().nullable().optional(),
  found: z.string().nullable().optional(),
});

export type EvidenceBody = z.infer<typeof evidenceBody>;
