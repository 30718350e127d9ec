import { z } from 'zod';
import { decisionBody } from './decision';
import { lockBody } from './locks';

/** An error as JSON: RFC 9457's members, and what to do next (spec 50 "Errors are"). */
export const problemBody = z.strictObject({
  code: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  next: z.string(),
  /** Under a refused start: the decisions of all chosen steps. */
  decisions: z.array(decisionBody).optional(),
  /** Under plan.outdated: what has changed since the plan was made. */
  differences: z.array(z.string()).optional(),
  /** Under run.already_running: the open run that is in the way. */
  run: z.strictObject({ workflowId: z.string(), runId: z.string(), url: z.string().nullable() }).optional(),
  /** Under a refused release: the row as it is now; null: it does not run any more. */
  lock: lockBody.nullable().optional(),
});

export type ProblemBody = z.infer<typeof problemBody>;
