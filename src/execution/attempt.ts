import type { StepRun } from '../db/tables';
import { shortTransaction } from '../db/transaction';
import { RUNNING_ACTIONS, type ResumeDecision } from '../domain/decision';
import type { ErrorCode } from '../domain/errors';
import { ENDED_BY_ATTEMPT, type StepStatus } from '../domain/status';
import type { Stop } from '../domain/stop';
import { downstreamOf, type StepId } from '../domain/steps';
import type { ActivityIdentity } from '../ledger/claim-row';
import type { StepKey } from '../ledger/key';
import { expectedOf } from '../ledger/matches';
import { setIdleRow } from '../ledger/set-idle-row';
import { recordDecision } from '../store/decisions';
import { readGenerations } from '../store/generations';
import { claimStep } from './claim-step';
import { decideStep, judgeRow, mayActOn, warnOfUnknown } from './decide-step';
import { dependentsOf } from './dependents';
import type { ExecutionDependencies } from './dependencies';
import { readEpisodeView, type EpisodeView } from './episode-view';
import type { AttemptOutcome } from './attempt-outcome';
import { executeAndFinalize } from './execute-and-finalize';
import type { ExecuteOutcome } from './execute-outcome';
import type { ForceRequest } from './force';
import { endBarren, isBarren } from './barren';
import { setAside } from './set-aside';
import { expandStaleRow } from './stale-row';

/** How often a missed claim is decided again before the attempt leaves it to the next one. */
const MISSES_ALLOWED = 5;

export interface AttemptRequest {
  readonly key: StepKey & { readonly stepId: StepId };
  readonly activity: ActivityIdentity;
  /** The run that this one was reset from: its attempts are the same activity (spec 15). */
  readonly resetFromRunId: string | null;
  readonly attempt: number;
  readonly force: ForceRequest | null;
  /** The run that the announcement judged dead (branch 1 is seen only by its own process). */
  readonly announcedDeadRunId: string | null;
  /** Seconds since the first attempt was scheduled, by Temporal's clock. */
  readonly waitedSeconds: number;
  readonly editor: 'park' | 'apply';
  stopRequested(): Stop | null;
  progress(done: number, failed: number, total: number): void;
}

/**
 * One attempt at a step: decides afresh with its own eyes, and obeys (spec 15 "Workflows and activities"). Throws AppError for
 * the database only.
 */
export async function attemptStep(deps: ExecutionDependencies, request: AttemptRequest): Promise<AttemptOutcome> {
  for (let miss = 0; miss <= MISSES_ALLOWED; miss += 1) {
    const outcome = await decideAndObey(deps, request);
    if (outcome !== 'decide_again') return outcome;
  }
  return {
    outcome: 'retry',
    code: 'step.already_running',
    reason: `The row of ${request.key.stepId} kept changing while it was claimed.`,
  };
}

async function decideAndObey(
  deps: ExecutionDependencies,
  request: AttemptRequest,
): Promise<AttemptOutcome | 'decide_again'> {
  const { key } = request;
  const view = await readEpisodeView(deps.db, key.projectId, key.episodeId);
  const row = view.rows.get(key.stepId) ?? null;
  if (row && isMine(row, request) && ENDED_BY_ATTEMPT.has(row.status))
    return {
      outcome: 'ended',
      status: row.status as StepStatus,
      code: null,
      reason: row.error_message ?? `An earlier attempt ended ${key.stepId}.`,
      ran: true,
    };
  if (row?.status === 'running') {
    const standing = whileRunning(deps, request, row, view.now);
    if (standing?.outcome === 'blocked') return refuse(deps, request, row, standing.code, standing.reason);
    if (standing) return standing;
  }
  const force = await openForce(deps, request);
  const decision = await decideStep(deps, view, key.stepId, { mode: force ? 'force' : 'resume', willRun: new Set() });
  if (!RUNNING_ACTIONS.has(decision.action)) return withoutClaim(deps, request, view, decision);
  if (isBarren(row, decision)) return endBarren(deps, key, row, request.activity);
  return claimAndExecute(deps, request, view, decision, force);
}

/** An earlier attempt of the same activity: same workflow and activity, and a run that is mine or the one mine was reset from. */
function isMine(row: StepRun, { activity, resetFromRunId }: AttemptRequest): boolean {
  if (row.workflow_id === null || row.workflow_id !== activity.workflowId || row.activity_id !== activity.activityId)
    return false;
  return (
    row.workflow_run_id !== null &&
    (row.workflow_run_id === activity.workflowRunId || row.workflow_run_id === resetFromRunId)
  );
}

/** The table of spec 15 for a row that runs; null: its owner is dead and may be taken over. */
function whileRunning(
  deps: ExecutionDependencies,
  request: AttemptRequest,
  row: StepRun,
  now: string,
): AttemptOutcome | null {
  const { stepId } = request.key;
  const verdict = judgeRow(deps, row, now);
  const reason = `${stepId} is held by run ${row.run_id ?? '(none)'}: ${verdict.reason}.`;
  if (verdict.verdict === 'unknown') {
    warnOfUnknown(deps.log, row, verdict);
    return { outcome: 'blocked', code: 'step.resume_blocked', reason };
  }
  if (verdict.verdict === 'dead') {
    if (!mayActOn(deps, verdict, now)) return tooEarly(reason);
    deps.log.warn({ row, verdict }, 'stealing the step of a dead owner');
    return null;
  }
  const announcedDead = row.run_id !== null && row.run_id === request.announcedDeadRunId;
  if (isMine(row, request) || (announcedDead && request.waitedSeconds <= deps.times.leaseSeconds))
    return { outcome: 'retry', code: 'step.already_running', reason };
  return { outcome: 'blocked', code: 'step.already_running', reason };
}

/** An attempt that may not act on a death by heartbeat yet fails retryably (spec 10). */
function tooEarly(reason: string): AttemptOutcome {
  return {
    outcome: 'retry',
    code: 'step.already_running',
    reason: `${reason} This worker has not beaten long enough to act on that.`,
  };
}

/** A refusal outside of the one judge: it is kept, too, since the door of a single step waits for it (spec 15 "Starting"). */
async function refuse(
  deps: ExecutionDependencies,
  { key, activity, attempt }: AttemptRequest,
  row: StepRun | null,
  code: ErrorCode,
  reason: string,
): Promise<AttemptOutcome> {
  const decision: ResumeDecision = { action: 'block', code, reason, evidence: [], expected: row && expectedOf(row) };
  await recordDecision(deps.db, key, decision, { ...activity, madeBy: 'attempt', attempt, runId: null });
  return { outcome: 'blocked', code, reason };
}

/** The request to force, unless it has been obeyed: no death makes a force start over (spec 20). */
async function openForce(deps: ExecutionDependencies, { key, force }: AttemptRequest): Promise<ForceRequest | null> {
  if (!force) return null;
  const generations = await readGenerations(deps.db, key);
  return generations.obeyed(force.requestId) ? null : force;
}

async function withoutClaim(
  deps: ExecutionDependencies,
  request: AttemptRequest,
  view: EpisodeView,
  decision: ResumeDecision,
): Promise<AttemptOutcome | 'decide_again'> {
  const { key, activity, attempt } = request;
  if (decision.action === 'not_applicable' && !(await setAside(deps, key, view, decision, activity)))
    return 'decide_again';
  await recordDecision(deps.db, key, decision, { ...activity, madeBy: 'attempt', attempt, runId: null });
  if (decision.action === 'not_applicable')
    return { outcome: 'ended', status: 'not_applicable', code: null, reason: decision.reason, ran: false };
  if (decision.code === 'step.downstream_running')
    for (const below of downstreamOf(key.stepId)) {
      const row = view.rows.get(below);
      if (row?.status === 'running') warnOfUnknown(deps.log, row, judgeRow(deps, row, view.now));
    }
  if (decision.action === 'skip')
    return { outcome: 'ended', status: 'completed', code: null, reason: decision.reason, ran: false };
  return { outcome: 'blocked', code: decision.code ?? 'step.resume_blocked', reason: decision.reason };
}

async function claimAndExecute(
  deps: ExecutionDependencies,
  request: AttemptRequest,
  view: EpisodeView,
  decision: ResumeDecision,
  force: ForceRequest | null,
): Promise<AttemptOutcome | 'decide_again'> {
  const { key, activity, attempt } = request;
  const row = view.rows.get(key.stepId) ?? null;
  const dependents = force?.items ? dependentsOf(deps, view, key.stepId, force.items) : null;
  const claim = await claimStep(deps, { key, decision, activity, attempt, force, dependents });
  switch (claim.outcome) {
    case 'miss':
      return 'decide_again';
    case 'run_ended':
      return { outcome: 'blocked', code: 'run.ended', reason: `The run that wants ${key.stepId} has ended.` };
    case 'cancelled':
      return endCancelled(deps, request, row, force !== null);
    case 'downstream_running':
      return refuse(
        deps,
        request,
        row,
        'step.downstream_running',
        `${key.stepId} feeds ${claim.step}, which is running: ${claim.reason}.`,
      );
    case 'too_early':
      return tooEarly(`${key.stepId} feeds ${claim.step}: ${claim.reason}.`);
    case 'claimed':
      deps.log.info({ ...claim.held, action: decision.action, reason: decision.reason }, 'claimed');
      return toAttemptOutcome(await executeAndFinalize(deps, { ...request, held: claim.held }), key.stepId);
  }
}

export function toAttemptOutcome(executed: ExecuteOutcome, stepId: StepId): AttemptOutcome {
  switch (executed.outcome) {
    case 'parked':
      return executed;
    case 'ownership_lost':
      return {
        outcome: 'retry',
        code: 'step.ownership_lost',
        reason: `${stepId} was taken by another owner; this attempt wrote nothing more.`,
      };
    case 'ended':
      if (executed.status === 'pending')
        return {
          outcome: 'retry',
          code: 'step.handed_back',
          reason: executed.message ?? `${stepId} was handed back at a safe point.`,
        };
      return {
        outcome: 'ended',
        status: executed.status,
        code: executed.code,
        reason: executed.message ?? `${stepId} is ${executed.status}.`,
        ran: true,
      };
  }
}

/**
 * A cancel came before the claim: nothing is claimed, and the row becomes `cancelled` without an owner, unless it is completed
 * (a force that had not begun leaves it as it was), or a dead owner's (spec 15 "Cancel").
 */
async function endCancelled(
  deps: ExecutionDependencies,
  request: AttemptRequest,
  row: StepRun | null,
  forced: boolean,
): Promise<AttemptOutcome | 'decide_again'> {
  const { key, activity } = request;
  const keeps = row !== null && (row.status === 'completed' || forced);
  if (!keeps && !(await cancelIdle(deps, key, row, activity))) return 'decide_again';
  return {
    outcome: 'ended',
    status: 'cancelled',
    code: null,
    reason: `${key.stepId} was cancelled before it began.`,
    ran: false,
  };
}

async function cancelIdle(
  deps: ExecutionDependencies,
  key: AttemptRequest['key'],
  row: StepRun | null,
  activity: ActivityIdentity,
): Promise<boolean> {
  if (row?.status === 'cancelled') return true;
  return shortTransaction(deps.db, `Cancelling ${key.stepId}`, async (tx) => {
    const landed = await setIdleRow(tx, key, deps.newId(), row && expectedOf(row), {
      status: 'cancelled',
      errorMessage: 'Cancelled before it began.',
      workflowId: activity.workflowId,
      workflowRunId: activity.workflowRunId,
    });
    if (landed) await expandStaleRow(tx, key, row?.status);
    return landed;
  });
}
