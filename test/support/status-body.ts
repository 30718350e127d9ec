import type { StatusBody, StepStatusBody } from '../../src/bodies/status';
import type { StatusReading } from '../../src/operations/queries/status';

/** A step at rest that nothing is known of, with what a test says instead. */
export function stepStatus(stepId: string, changes: Partial<StepStatusBody> = {}): StepStatusBody {
  return {
    stepId,
    status: 'pending',
    runId: null,
    owner: null,
    startedAt: null,
    heartbeatAt: null,
    completedAt: null,
    applicableCount: null,
    completedCount: 0,
    failedCount: 0,
    recoveryCount: 0,
    lastRecoveryReason: null,
    errorMessage: null,
    calls: 0,
    costUsd: 0,
    inDoubt: 0,
    atRiskUsd: 0,
    ...changes,
  };
}

export function statusReading(steps: readonly StepStatusBody[], changes: Partial<StatusBody> = {}): StatusReading {
  return {
    now: '2026-03-25T04:12:41.000000Z',
    title: 'The Last Lamp',
    cancelRequested: new Set(),
    body: {
      projectId: 'local',
      episodeId: 'lighthouse',
      state: 'running',
      workflow: null,
      steps: [...steps],
      costUsd: 0,
      inDoubt: 0,
      atRiskUsd: 0,
      cancel: null,
      ...changes,
    },
  };
}
