import { z } from 'zod';
import { STEP_STATUSES } from '../domain/status';
import { count, dollars, dollarsAtRisk, timeText } from './amounts';
import { ownerBody } from './owner';

/** `status` and `GET …/steps` (spec 50). `inDoubt` counts purchases that may have been charged. */
export const stepStatusBody = z.strictObject({
  stepId: z.string(),
  /** A status of spec 10; what another tool wrote is shown as it stands. */
  status: z.union([z.enum(STEP_STATUSES), z.string()]),
  runId: z.string().nullable(),
  owner: ownerBody.nullable(),
  startedAt: timeText.nullable(),
  heartbeatAt: timeText.nullable(),
  completedAt: timeText.nullable(),
  applicableCount: z.number().int().nullable(),
  completedCount: z.number().int(),
  failedCount: z.number().int(),
  recoveryCount: z.number().int(),
  lastRecoveryReason: z.string().nullable(),
  errorMessage: z.string().nullable(),
  calls: count,
  costUsd: dollars,
  inDoubt: count,
  atRiskUsd: dollarsAtRisk,
});

/** `running` while a run is open or a row runs; else the worst of the steps, or how far the episode is. */
export const EPISODE_STATES = [
  'running',
  'failed',
  'blocked',
  'partial',
  'cancelled',
  'stale',
  'pending',
  'done',
] as const;

/**
 * The meter of a cancel (spec 40 "Cancel with a meter"): `requested` until a safe point, `draining` while paid calls are awaited (they are
 * never cut), then `cancelled`.
 */
export const cancelMeterBody = z.strictObject({
  state: z.enum(['requested', 'draining', 'cancelled']),
  requestedAt: timeText,
  by: z.string(),
  /** Step ids, or `*` for everything. */
  steps: z.array(z.string()),
  callsInFlight: z.array(
    z.strictObject({ purchaseId: z.string(), stepId: z.string(), itemId: z.string(), ageSeconds: z.number() }),
  ),
  /** What the calls in flight will cost, by their estimates. */
  committedUsd: dollars,
  /** Of the steps that were begun. */
  itemsNotStarted: count,
});

export const statusBody = z.strictObject({
  projectId: z.string(),
  episodeId: z.string(),
  state: z.enum(EPISODE_STATES),
  workflow: z.strictObject({ id: z.string(), runId: z.string(), url: z.string().nullable() }).nullable(),
  steps: z.array(stepStatusBody),
  costUsd: dollars,
  inDoubt: count,
  atRiskUsd: dollarsAtRisk,
  /** Of the open runs, or of the last one; null where nobody asked for a cancel. */
  cancel: cancelMeterBody.nullable(),
});

export type CancelMeterBody = z.infer<typeof cancelMeterBody>;
export type StepStatusBody = z.infer<typeof stepStatusBody>;
export type StatusBody = z.infer<typeof statusBody>;
export type EpisodeState = StatusBody['state'];
