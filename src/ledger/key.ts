/** Names one row of step_run. */
export interface StepKey {
  readonly projectId: string;
  readonly episodeId: string;
  readonly stepId: string;
}
