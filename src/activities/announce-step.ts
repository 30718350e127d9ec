import { Context, type ApplicationFailure } from '@temporalio/activity';
import { decideStep, judgeRow, mayActOn, warnOfUnknown } from '../execution/decide-step';
import { readEpisodeView } from '../execution/episode-view';
import { setAside } from '../execution/set-aside';
import { summarize } from '../runs/open-run';
import { readGenerations } from '../store/generations';
import { recordDecision } from '../store/decisions';
import type { Announcement, StepTurn } from '../workflows/contract';
import type { ActivityDependencies } from './dependencies';
import { toFailure } from './failure';
import { workflowOf } from './workflow-of';

/** A row that keeps changing is decided again this often; then the activity is tried again. */
const TRIES = 5;

/**
 * The decision activity (spec 15): announces what will happen at the step's turn. It writes the decision, and, for a step that
 * does not apply, row and checkpoint where the row is exactly what it read; nothing else.
 */
export async function announceStep(deps: ActivityDependencies, turn: StepTurn): Promise<Announcement> {
  const { run, stepId, ledgerRunId } = turn;
  const key = { projectId: run.projectId, episodeId: run.episodeId, stepId };
  const { workflowId } = workflowOf(Context.current());
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const view = await readEpisodeView(deps.db, run.projectId, run.episodeId);
    const generations = await readGenerations(deps.db, key);
    const isForced =
      (run.force.includes(stepId) || run.items[stepId] !== undefined) && !generations.obeyed(run.requestId);
    const decision = await decideStep(deps, view, stepId, { mode: isForced ? 'force' : 'resume', willRun: new Set() });
    const activity = { workflowId, workflowRunId: ledgerRunId, activityId: null, taskToken: null };
    const row = view.rows.get(stepId);
    const verdict = row?.status === 'running' ? judgeRow(deps, row, view.now) : null;
    if (row && verdict) warnOfUnknown(deps.log, row, verdict);
    if (decision.action === 'not_applicable') {
      // Setting aside a dead owner's row acts on its death: where only a heartbeat tells it, not before this worker may.
      if (verdict && !mayActOn(deps, verdict, view.now)) throw tryAgain(deps, `${decision.reason} Its row still runs.`);
      if (!(await setAside(deps, key, view, decision, activity))) continue;
      if (verdict?.verdict === 'dead') deps.log.warn({ row, verdict }, 'setting aside the step of a dead owner');
    }
    // A reset has left the old attempt at work: what is announced is final, and the run must not be refused by itself.
    if (verdict?.verdict === 'alive' && row?.workflow_run_id === ledgerRunId)
      throw tryAgain(deps, `${stepId} is still held by an attempt of this run.`);
    await recordDecision(deps.db, key, decision, { ...activity, madeBy: 'announcement', attempt: null, runId: null });
    const dead = decision.action === 'stale_running_recovery';
    return { ...summarize({ stepId, decision }), deadRunId: dead ? (decision.expected?.run_id ?? null) : null };
  }
  throw tryAgain(deps, `The row of ${stepId} kept changing while it was decided.`);
}

function tryAgain(deps: ActivityDependencies, reason: string): ApplicationFailure {
  return toFailure('step.already_running', reason, true, deps.times.sweepSeconds * 1_000);
}
