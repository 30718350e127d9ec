import { z } from 'zod';
import { dollars } from './amounts';

/** Caps of a project and of its runs, and what is committed under each (spec 40 "Budget"). */
export const budgetBody = z.strictObject({
  projectId: z.string(),
  /** null: the project has no cap. */
  capUsd: dollars.nullable(),
  /** Spent, reserved and at risk under the cap; null without one. */
  committedUsd: dollars.nullable(),
  runs: z.array(z.strictObject({ runId: z.string(), capUsd: dollars, committedUsd: dollars })),
});

export type BudgetBody = z.infer<typeof budgetBody>;
