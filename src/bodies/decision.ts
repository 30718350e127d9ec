import { z } from 'zod';

/** What resume may say of a step (spec 20 "One judge"). */
export const ACTIONS = [
  'skip',
  'rerun_self',
  'force_explicit',
  'stale_running_recovery',
  'block',
  'not_applicable',
] as const;

export const ORIGINS = ['clean', 'artifact_missing', 'contract_drift', 'invariant_drift', 'verify_crashed'] as const;

/** One step's decision, in a started run and under a 409 alike (spec 50, "run"). */
export const decisionBody = z.strictObject({
  stepId: z.string(),
  action: z.enum(ACTIONS),
  origin: z.enum(ORIGINS).nullable(),
  /** The code of a block; null else. */
  code: z.string().nullable(),
  reason: z.string(),
});

export type DecisionBody = z.infer<typeof decisionBody>;
