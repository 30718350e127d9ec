import { z } from 'zod';
import { timeText } from './amounts';
import { decisionBody } from './decision';
import { evidenceBody } from './evidence';

/** A decision that was made, by whom and on what evidence (spec 15 "Workflows and activities", spec 20 "Explain"). */
export const pastDecisionBody = decisionBody.extend({
  at: timeText,
  /** `announcement` of the decision activity, or `attempt` of the step activity. */
  madeBy: z.string(),
  attempt: z.number().int().nullable(),
  runId: z.string().nullable(),
  workflowId: z.string().nullable(),
  workflowRunId: z.string().nullable(),
  evidence: z.array(evidenceBody),
});

/** `explain` and `GET …/{step}/explain`; newest first. */
export const explainBody = z.strictObject({
  projectId: z.string(),
  episodeId: z.string(),
  stepId: z.string(),
  decisions: z.array(pastDecisionBody),
});

export type PastDecisionBody = z.infer<typeof pastDecisionBody>;
export type ExplainBody = z.infer<typeof explainBody>;
