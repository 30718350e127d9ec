import { z } from 'zod';
import { STEP_IDS } from '../domain/steps';
import { storedId } from './text';

/** What is asked of a start (spec 50 `POST /steps/run-all`). `steps` and `from` only choose; `force` and `items` force (spec 20). */

const step = z.enum(STEP_IDS);
/** Item ids come out of screenplays; no step has more items than this. */
const items = z.array(storedId).min(1).max(2_000);

export const startRequest = z.strictObject({
  force: z.array(step).max(STEP_IDS.length).optional(),
  /** Step to item ids: exactly these items are asked again. */
  items: z.partialRecord(step, items).optional(),
  steps: z.array(step).min(1).max(STEP_IDS.length).optional(),
  from: step.optional(),
  /** Of a plan: the start is refused with plan.outdated if anything that matters has changed (spec 40 "Plan"). */
  planToken: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,256}$/, 'a token as a plan has it')
    .optional(),
  /** A cap of this run, in US dollars. */
  budgetUsd: z.number().min(0).max(999_999_999).optional(),
});

/** `POST /steps/{step}/run`. With `items`, exactly these are asked again, also where `force` stands beside them. */
export const startStepRequest = z.strictObject({ force: z.literal(true).optional(), items: items.optional() });

export type StartRequestBody = z.infer<typeof startRequest>;
export type StartStepRequestBody = z.infer<typeof startStepRequest>;
