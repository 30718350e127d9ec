import { z } from 'zod';
import { count, dollars, dollarsAtRisk } from './amounts';
import { decisionBody } from './decision';
import { evidenceBody } from './evidence';

/** What a run would do with one item of a fan-out step (spec 40 "Plan"). */
export const planItemBody = z.strictObject({
  itemId: z.string(),
  /** `buy` a call serves it; `reuse` its result or its settled purchase is kept; `in_doubt` a call for it may have been paid; `keep_failed` it is not asked again. */
  action: z.enum(['buy', 'reuse', 'in_doubt', 'keep_failed']),
  reason: z.string(),
});

export const planStepBody = decisionBody.extend({
  evidence: z.array(evidenceBody),
  /** Calls that will be bought, and what they are estimated to cost. */
  calls: count,
  costUsd: dollars,
  /** By how long earlier calls of the step took in this project; null where none has been settled. */
  expectedMinutes: z.number().min(0).nullable(),
  /** Items that are reused. */
  reused: count,
  inDoubt: count,
  /** Of earlier calls of the step, whatever a run would do. */
  atRiskUsd: dollarsAtRisk,
  /** True where an earlier step of the same plan makes the inputs, so items, calls and dollars are estimates (spec 20). */
  estimated: z.boolean(),
  items: z.array(planItemBody),
});

/** `plan` and `GET …/steps/plan` (spec 50). */
export const planBody = z.strictObject({
  token: z.string(),
  mode: z.enum(['resume', 'force']),
  steps: z.array(planStepBody),
  calls: count,
  costUsd: dollars,
  /** Of the steps of this plan. */
  atRiskUsd: dollarsAtRisk,
  /** One step after the other: side by side it is less. null where it is not known of a step that has calls. */
  expectedMinutes: z.number().min(0).nullable(),
});

export type PlanItemBody = z.infer<typeof planItemBody>;
export type PlanStepBody = z.infer<typeof planStepBody>;
export type PlanBody = z.infer<typeof planBody>;
