import { z } from 'zod';
import { decisionBody } from './decision';

/** An error as JSON: RFC 9457's members, and what to do next (spec 50 "Errors are"). */
export const problemBody = z.strictObject({
  code: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  next: z.string(),
  /** Under a refused start: the decisions of all chosen steps. */
  decisions: z.array(decisionBody).optional(),
});

export type ProblemBody = z.infer<typeof problemBody>;
