import type { StepKey } from './key';

/** A run of a step that this process holds: what every later write must prove (spec 10 "The fence"). */
export interface Held extends StepKey {
  /** The attempt's token; new for each claim and adoption. */
  readonly runId: string;
  readonly bootId: string;
  /** The run of the workflow under which cancels are written; null for work outside of any run (scripts in tests). */
  readonly workflowRunId: string | null;
}
