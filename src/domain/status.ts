/** The statuses of a step, spec 10 "Columns". Rows are never deleted. */
export const STEP_STATUSES = [
  'pending',
  'running',
  'completed',
  'partial',
  'failed',
  'stale',
  'cancelled',
  'not_applicable',
] as const;

export type StepStatus = (typeof STEP_STATUSES)[number];

/** The statuses with which an attempt can end a step itself, so that a later attempt only reports it (spec 15, table). */
export const ENDED_BY_ATTEMPT: ReadonlySet<string> = new Set(['completed', 'partial', 'cancelled', 'not_applicable']);

/** A need is met by these and nothing else (spec 20, order 2). */
export function meetsNeed(status: string | undefined): boolean {
  return status === 'completed' || status === 'not_applicable';
}

/** The states of a run, worst first (spec 15 "Starting"): a run is as bad as its worst step. */
export const RUN_STATES = ['failed', 'blocked', 'partial', 'cancelled', 'done'] as const;
export type RunState = (typeof RUN_STATES)[number];

export function worstState(states: readonly RunState[]): RunState {
  return RUN_STATES.find((state) => states.includes(state)) ?? 'done';
}
