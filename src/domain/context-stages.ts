/** The two AI stages of a context, and what becomes of them (spec 30). */
export const CONTEXT_STAGES = ['embedding', 'summary'] as const;
export type ContextStage = (typeof CONTEXT_STAGES)[number];

export const STAGE_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type StageStatus = (typeof STAGE_STATUSES)[number];

export type StageStatuses = Readonly<Record<ContextStage, StageStatus>>;

export function isContextStage(text: string): text is ContextStage {
  return CONTEXT_STAGES.some((stage) => stage === text);
}

/** Work that is still owed: only these may be asked for, cancelled by a delete, or failed by finalize. */
export function isUnfinished(status: StageStatus): boolean {
  return status === 'PENDING' || status === 'PROCESSING';
}

export function unfinishedStages(statuses: StageStatuses): ContextStage[] {
  return CONTEXT_STAGES.filter((stage) => isUnfinished(statuses[stage]));
}

/** Why a request did not reach the AI service as work taken on; the closed list that metrics count by (spec 30). */
export const ASK_FAILURES = [
  'not_configured',
  'read_failed',
  'build_failed',
  'queue_full',
  'unauthorized',
  'refused',
  'server_error',
  'timeout',
  'unreachable',
  'stopped',
] as const;
export type AskFailure = (typeof ASK_FAILURES)[number];
