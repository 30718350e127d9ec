import { Context } from '@temporalio/activity';
import { translateDatabaseError } from '../db/errors';
import { attemptStep, type AttemptRequest } from '../execution/attempt';
import type { AttemptOutcome } from '../execution/attempt-outcome';
import { attemptRefresh } from '../execution/refresh';
import { shorten } from '../runs/shorten';
import type { StepAttempt, StepEnd, StepResult } from '../workflows/contract';
import type { ActivityDependencies } from './dependencies';
import { failureOf, toFailure } from './failure';
import { workflowOf } from './workflow-of';
import { stopRequestedOf } from './stop-requested';

/** The step activity: register → claim → run → verify → finalize (spec 15). Thin: outcome in, Temporal failure out. */
export function runStep(deps: ActivityDependencies, attempt: StepAttempt): Promise<StepResult> {
  return perform(deps, attempt, (request) => attemptStep(deps, request));
}

/** The second activity of an editor step: adopts the row and applies what the first one bought (spec 15 "Handing over"). */
export function refreshStep(deps: ActivityDependencies, attempt: StepAttempt): Promise<StepResult> {
  return perform(deps, attempt, (request) => attemptRefresh(deps, { ...request, adoptToken: attempt.adoptToken }));
}

async function perform(
  deps: ActivityDependencies,
  attempt: StepAttempt,
  work: (request: AttemptRequest) => Promise<AttemptOutcome>,
): Promise<StepResult> {
  const context = Context.current();
  const progress = deps.heartbeats.begin(context);
  try {
    return toResult(await work(requestOf(deps, attempt, context, progress)), deps);
  } catch (thrown) {
    // Before it becomes a failure: an outage while the attempt decides passes, and must not end the step for good.
    const error = translateDatabaseError(thrown, `Running ${attempt.stepId}`);
    if (!(error instanceof Error && error.name === 'ApplicationFailure'))
      deps.log.error({ step: attempt.stepId, err: error }, 'a step attempt threw');
    throw failureOf(error);
  } finally {
    deps.heartbeats.end(context);
  }
}

function requestOf(
  deps: ActivityDependencies,
  attempt: StepAttempt,
  context: Context,
  progress: AttemptRequest['progress'],
): AttemptRequest {
  const { run, stepId, ledgerRunId, firstRunId } = attempt;
  const { info } = context;
  const items = run.items[stepId] ?? null;
  return {
    key: { projectId: run.projectId, episodeId: run.episodeId, stepId },
    activity: {
      workflowId: workflowOf(context).workflowId,
      workflowRunId: ledgerRunId,
      activityId: info.activityId,
      taskToken: info.base64TaskToken,
    },
    resetFromRunId: firstRunId,
    attempt: info.attempt,
    force:
      run.force.includes(stepId) || items
        ? { requestId: run.requestId, items: run.force.includes(stepId) ? null : items, by: run.by }
        : null,
    announcedDeadRunId: attempt.announcedDeadRunId,
    waitedSeconds: (info.currentAttemptScheduledTimestampMs - info.scheduledTimestampMs) / 1_000,
    editor: 'park',
    stopRequested: stopRequestedOf(context, deps.shutdown),
    progress,
  };
}

function toResult(outcome: AttemptOutcome, deps: ActivityDependencies): StepResult {
  switch (outcome.outcome) {
    case 'ended':
      return {
        status: outcome.status as StepEnd,
        code: outcome.code,
        reason: shorten(outcome.reason),
        adoptToken: null,
      };
    case 'parked':
      return { status: 'parked', code: null, reason: 'waits for its second activity', adoptToken: outcome.token };
    case 'blocked':
      return { status: 'blocked', code: outcome.code, reason: shorten(outcome.reason), adoptToken: null };
    case 'retry':
      // Tried again at most a sweep period later; a step that was handed back, at once.
      throw toFailure(
        outcome.code,
        outcome.reason,
        true,
        outcome.code === 'step.already_running' ? deps.times.sweepSeconds * 1_000 : undefined,
      );
  }
}
