import { AppError } from '../domain/errors';
import { checkId, episodeWorkflowId, stepWorkflowId } from '../domain/ids';
import { STEP_IDS } from '../domain/steps';
import { readEpisodeView } from '../execution/episode-view';
import { readRow } from '../ledger/read-rows';
import { openRunsOf, runById, runByRequest, type Run } from '../runs/open-runs';
import type { EpisodeClient, Started } from '../client';
import type { StepDecisionTable } from '../db/tables';
import type { DecisionSummary, OpenedRun, RunInput } from '../workflows/contract';
import { checkItems, runChoiceOf } from './choice';
import type { StartAnswer, StartRequest } from './contract';
import type { OperationDependencies } from './dependencies';
import { workflowUrl } from './queries/workflow-url';

/** For one step the answer waits this long for the claim or the refusal (spec 15 "Starting"). */
const CLAIM_WITHIN_MS = 10_000;
const POLL_MS = 100;

/** A run that starts nothing closes within its own workflow task. */
const CLOSES_WITHIN_MS = 5_000;

/**
 * Starts a run of all steps, of some, or of one (spec 15 "Starting"). A request id makes it idempotent: the same id, the same
 * answer. A block is an outcome. Throws episode.unknown, step.*, id.invalid, input.invalid, temporal.unavailable.
 */
export async function startRun(deps: OperationDependencies, request: StartRequest): Promise<StartAnswer> {
  checkId('project', request.projectId);
  checkId('episode', request.episodeId);
  const choice = runChoiceOf(request);
  const requestId = checkId('request', request.requestId ?? deps.newId());
  const before = await runByRequest(deps.db, requestId);
  if (before) return sameAnswerAgain(deps, request, before);
  const { temporal } = deps;
  if (!temporal) throw new AppError('temporal.unavailable', 'A run cannot be started without Temporal.');
  const view = await readEpisodeView(deps.db, request.projectId, request.episodeId);
  checkItems(deps.steps, view, choice.items);
  const one = choice.chosen.length === 1 ? choice.chosen[0] : undefined;
  const workflowId = one
    ? stepWorkflowId(request.projectId, request.episodeId, one)
    : episodeWorkflowId(request.projectId, request.episodeId);
  const { now } = await readRow(deps.db, {
    projectId: request.projectId,
    episodeId: request.episodeId,
    stepId: STEP_IDS[0],
  });
  const input: RunInput = {
    projectId: request.projectId,
    episodeId: request.episodeId,
    ...choice,
    requestId,
    acceptedAt: now,
    by: request.by,
    planToken: request.planToken ?? null,
    budgetUsd: request.budgetUsd ?? null,
    leaseSeconds: deps.times.leaseSeconds,
    sweepSeconds: deps.times.sweepSeconds,
  };
  const started = await startUnlessClosing(deps, temporal.client, workflowId, input);
  if (started.outcome === 'queued') return queued(deps, workflowId, started, requestId);
  if (started.opened.requestId !== requestId) return anotherRuns(deps, workflowId, started.opened);
  if (started.opened.outcome === 'already_running') return overlaps(deps, request, workflowId, started.opened);
  if (one && started.opened.outcome === 'opened') return afterClaim(deps, workflowId, started.opened);
  return answerOf(deps, workflowId, started.opened);
}

/** A run of another request that starts nothing closes by itself, in a moment: it is not in the way, and what it found is its own. */
async function startUnlessClosing(
  { sleep }: OperationDependencies,
  client: EpisodeClient,
  workflowId: string,
  input: RunInput,
): Promise<Started> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const started = await client.start(workflowId, input);
    if (started.outcome === 'queued' || started.opened.requestId === input.requestId) return started;
    const isClosing = started.opened.outcome !== 'opened' || started.opened.answeredBefore === true;
    if (!isClosing || waitedMs >= CLOSES_WITHIN_MS) return started;
    await sleep(POLL_MS);
  }
}

/** No worker has taken what waits under this id: this request's run, or one of another request. */
function queued(
  deps: OperationDependencies,
  workflowId: string,
  { runId, requestId: waiting }: Extract<Started, { outcome: 'queued' }>,
  requestId: string,
): StartAnswer {
  const url = urlOf(deps, workflowId, runId);
  const common = { workflowId, runId, url, decisions: [] };
  if (runId === null || waiting === requestId)
    return { outcome: 'queued', ...common, reason: 'No worker has taken the run yet.' };
  return {
    outcome: 'blocked',
    ...common,
    code: 'run.already_running',
    reason: `Run ${runId} of ${workflowId} waits for a worker, for another request.`,
    inTheWay: { workflowId, workflowRunId: runId, url },
  };
}

function urlOf(deps: OperationDependencies, workflowId: string, runId: string | null): string | null {
  return runId === null ? null : workflowUrl(deps.temporalUi, { workflowId, workflowRunId: runId });
}

function answerOf(deps: OperationDependencies, workflowId: string, opened: OpenedRun): StartAnswer {
  const runId = opened.ledgerRunId;
  const common = { workflowId, runId, url: urlOf(deps, workflowId, runId), decisions: [...opened.decisions] };
  const { code, reason, differences } = opened;
  const why = {
    ...(code === null ? {} : { code }),
    ...(reason === null ? {} : { reason }),
    ...(differences ? { differences: [...differences] } : {}),
  };
  switch (opened.outcome) {
    case 'opened':
      return { outcome: 'started', ...common };
    case 'nothing':
      return { outcome: 'nothing_to_start', ...common, ...why };
    case 'blocked':
    case 'already_running':
      return { outcome: 'blocked', ...common, ...why };
  }
}

/** The request has been answered before: the same answer, whatever has become of the run since. Throws request.id_in_use. */
function sameAnswerAgain(
  deps: OperationDependencies,
  { projectId, episodeId }: StartRequest,
  run: Run,
): Promise<StartAnswer> | StartAnswer {
  if (run.project_id !== projectId || run.episode_id !== episodeId)
    throw new AppError('request.id_in_use', `Request ${run.request_id} has started a run of another episode.`);
  const opened: OpenedRun = {
    ...(JSON.parse(run.plan ?? '{}') as OpenedRun),
    requestId: run.request_id,
    ledgerRunId: run.workflow_run_id,
  };
  const isOfOneStep = !run.workflow_id.startsWith('episode/');
  return isOfOneStep && opened.outcome === 'opened'
    ? afterClaim(deps, run.workflow_id, opened)
    : answerOf(deps, run.workflow_id, opened);
}

/** Under this workflow id a run is open that another request has started. */
function anotherRuns(deps: OperationDependencies, workflowId: string, opened: OpenedRun): StartAnswer {
  const answer = answerOf(deps, workflowId, opened);
  const inTheWay = { workflowId, workflowRunId: opened.ledgerRunId, url: answer.url };
  return {
    ...answer,
    outcome: 'blocked',
    code: 'run.already_running',
    reason: `Run ${opened.ledgerRunId} of ${workflowId} is open, for another request.`,
    inTheWay,
  };
}

/** Under another workflow id a run is open that has steps in common. One that has ended meanwhile is named by the reason only. */
async function overlaps(
  deps: OperationDependencies,
  { projectId, episodeId }: StartRequest,
  workflowId: string,
  opened: OpenedRun,
): Promise<StartAnswer> {
  const answer = answerOf(deps, workflowId, opened);
  const run = (await openRunsOf(deps.db, projectId, episodeId)).find((one) =>
    opened.reason?.includes(one.workflow_run_id),
  );
  if (!run) return answer;
  return {
    ...answer,
    inTheWay: {
      workflowId: run.workflow_id,
      workflowRunId: run.workflow_run_id,
      url: urlOf(deps, run.workflow_id, run.workflow_run_id),
    },
  };
}

/** What an attempt decided, in place of what was announced of its step. */
function blockOf({ code, origin, reason }: Pick<StepDecisionTable, 'code' | 'origin' | 'reason'>) {
  return {
    action: 'block',
    code: code as DecisionSummary['code'],
    origin: origin as DecisionSummary['origin'],
    reason,
  } as const;
}

/** The real answer for one step: what its attempt decided with its own eyes; an announced skip or block is final, too. */
async function afterClaim(deps: OperationDependencies, workflowId: string, opened: OpenedRun): Promise<StartAnswer> {
  for (let waitedMs = 0; waitedMs <= CLAIM_WITHIN_MS; waitedMs += POLL_MS) {
    const decision = await deps.db
      .selectFrom('step_decision')
      .select(['step_id', 'action', 'code', 'reason', 'origin'])
      .where('workflow_run_id', '=', opened.ledgerRunId)
      .where((decision) =>
        decision.or([
          decision('made_by', '=', 'attempt'),
          decision('action', 'in', ['skip', 'block', 'not_applicable']),
        ]),
      )
      .orderBy('id')
      .executeTakeFirst();
    if (decision?.action === 'block')
      return answerOf(deps, workflowId, {
        ...opened,
        outcome: 'blocked',
        code: decision.code as OpenedRun['code'],
        reason: decision.reason,
        decisions: opened.decisions.map((announced) =>
          announced.stepId === decision.step_id ? { ...announced, ...blockOf(decision) } : announced,
        ),
      });
    if (decision) break;
    const run = await runById(deps.db, opened.ledgerRunId);
    if (run && run.ended_at !== null) break;
    await deps.sleep(POLL_MS);
  }
  return answerOf(deps, workflowId, opened);
}
