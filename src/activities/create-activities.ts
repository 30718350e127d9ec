import { Context } from '@temporalio/activity';
import { AppError } from '../domain/errors';
import { withDatabaseErrors } from '../db/errors';
import type { RunState } from '../domain/status';
import { closeRun } from '../runs/close-run';
import { openRun } from '../runs/open-run';
import { recordCancel } from '../runs/record-cancel';
import { shorten } from '../runs/shorten';
import type { EpisodeActivities, OpenedRun, RunInput } from '../workflows/contract';
import { announceStep } from './announce-step';
import type { ActivityDependencies } from './dependencies';
import { workflowOf } from './workflow-of';
import { failureOf, toFailure } from './failure';
import { refreshStep, runStep } from './run-step';

/** The activities of runEpisode (spec 15 "Workflows and activities"). */
export function createActivities(deps: ActivityDependencies): EpisodeActivities {
  const guarded = async <T>(doing: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await withDatabaseErrors(doing, work);
    } catch (error) {
      deps.log.warn({ doing, err: error }, 'an activity failed');
      throw failureOf(error);
    }
  };
  return {
    openRun: (run, firstRunId) => guarded('Opening the run', () => open(deps, run, firstRunId)),
    announceStep: (turn) => guarded(`Deciding ${turn.stepId}`, () => announceStep(deps, turn)),
    runStep: (attempt) => guarded(`Running ${attempt.stepId}`, () => runStep(deps, attempt)),
    refreshStep: (attempt) => guarded(`Refreshing ${attempt.stepId}`, () => refreshStep(deps, attempt)),
    recordCancel: ({ ledgerRunId, steps, by, ...episode }) =>
      guarded('Recording a cancel', () => recordCancel(deps.db, episode, { workflowRunId: ledgerRunId, steps, by })),
    closeRun: (request) => guarded('Closing the run', () => closeRun(deps, request)),
  };
}

/** What cannot be opened is an answer, not a failure of the workflow: the door that started it waits for the reason. */
async function open(deps: ActivityDependencies, input: RunInput, firstRunId: string): Promise<OpenedRun> {
  const { workflowId, runId } = workflowOf(Context.current());
  try {
    return await openRun(deps, {
      input,
      workflowId,
      workflowRunId: runId,
      firstRunId,
      stateInTemporal: (id, run) => askTemporal(deps, id, run),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'db.unavailable' || error.code === 'db.lock_timeout')
      throw error;
    return {
      outcome: 'blocked',
      ledgerRunId: runId,
      requestId: input.requestId,
      decisions: [],
      code: error.code,
      reason: shorten(error.message),
    };
  }
}

/** Who cannot be asked now is asked again by the next attempt: that nobody answered says nothing about the other run. */
async function askTemporal(deps: ActivityDependencies, workflowId: string, runId: string): Promise<RunState | null> {
  try {
    return await deps.stateInTemporal(workflowId, runId);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw toFailure('temporal.unavailable', `Asking for the state of ${workflowId}: ${reason}`, true);
  }
}
