import { AppError } from '../domain/errors';
import { RUN_STATES, type RunState } from '../domain/status';
import { STEP_IDS } from '../domain/steps';
import { shortTransaction } from '../db/transaction';
import { resetBarrenTakeovers } from '../runs/open-run';
import { openRunsOf, runById } from '../runs/open-runs';
import { episodeWorkflowId } from '../domain/ids';
import type { OpenRun, RunResult, WorkflowRef } from './contract';
import type { OperationDependencies } from './dependencies';

/** The open run of the episode as a whole; a run that Temporal does not know as open is none. */
export async function openRunOf(
  deps: OperationDependencies,
  projectId: string,
  episodeId: string,
): Promise<OpenRun | null> {
  const workflowId = episodeWorkflowId(projectId, episodeId);
  const runs = await openRunsOf(deps.db, projectId, episodeId);
  const run = runs.find((candidate) => candidate.workflow_id === workflowId);
  const openInTemporal = deps.temporal
    ? await deps.temporal.client.openRunId(workflowId)
    : (run?.workflow_run_id ?? null);
  if (openInTemporal === null) return null;
  if (!run) return { workflowId, workflowRunId: openInTemporal, requestId: '', state: 'queued' };
  return { workflowId, workflowRunId: run.workflow_run_id, requestId: run.request_id, state: run.state };
}

/** A person attaches to an open run: barren takeovers are counted anew (spec 10 "A step that kills its owner"). */
export function noteAttach(deps: OperationDependencies, projectId: string, episodeId: string): Promise<void> {
  return shortTransaction(deps.db, 'Attaching to the run', (tx) =>
    resetBarrenTakeovers(tx, projectId, episodeId, STEP_IDS),
  );
}

/** Waits until the workflow has closed, and answers how the run ended, from the ledger. Throws temporal.unavailable. */
export async function waitForRun(deps: OperationDependencies, ref: WorkflowRef): Promise<RunResult> {
  if (!deps.temporal) throw new AppError('temporal.unavailable', 'A run cannot be followed without Temporal.');
  const closed = await deps.temporal.client.waitUntilClosed(ref.workflowId, ref.workflowRunId);
  const run = await runById(deps.db, ref.workflowRunId);
  if (!run) return { state: 'failed', result: {} };
  const chosen = JSON.parse(run.chosen) as string[];
  const rows = await deps.db
    .selectFrom('step_run')
    .select(['step_id', 'status'])
    .where('project_id', '=', run.project_id)
    .where('episode_id', '=', run.episode_id)
    .where('step_id', 'in', chosen)
    .execute();
  const ended = RUN_STATES.find((state) => state === run.state);
  const state: RunState = ended ?? (closed === 'completed' ? 'done' : 'failed');
  return { state, result: Object.fromEntries(rows.map((row) => [row.step_id, row.status])) };
}
