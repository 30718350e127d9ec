import type { DecisionSummary, OpenedRun, RunInput } from '../workflows/contract';
import type { Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import type { RunState } from '../domain/status';
import { AppError } from '../domain/errors';
import type { Action } from '../domain/decision';
import { isStepId, type StepId } from '../domain/steps';
import type { JudgingDependencies } from '../execution/dependencies';
import { readEpisodeView } from '../execution/episode-view';
import { forecast, type ForecastStep } from '../execution/forecast';
import { planSteps } from '../execution/plan-steps';
import { planDifferences, planToken } from '../execution/plan-token';
import type { PlannedStep } from '../execution/planned-step';
import { viewDigest } from '../execution/view-digest';
import { lockRowsInOrder } from '../ledger/lock-rows';
import { audit } from '../store/audit';
import { lockEpisode } from '../store/episodes';
import { endRun, openRunsOf, runById, runByRequest, type Run } from './open-runs';
import { shorten } from './shorten';
import { unfinishedSteps } from './unfinished-steps';

export interface OpenRunRequest {
  readonly input: RunInput;
  readonly workflowId: string;
  readonly workflowRunId: string;
  /** The first run of this workflow's chain: what a reset came from. */
  readonly firstRunId: string;
  /** What Temporal says of another run: null while it is open, else the state to end it with. Asked under the episode's lock. */
  stateInTemporal(workflowId: string, workflowRunId: string): Promise<RunState | null>;
}

/** What a run announced of a step before it started. */
export interface AnnouncedStep {
  readonly stepId: StepId;
  readonly action: Action;
  readonly calls: number;
  readonly estimated: boolean;
  /** Items that a call will be bought for. */
  readonly buy: readonly string[];
}

/** What is kept in run.plan: the forecast that this run started with. */
interface StoredPlan {
  readonly outcome: OpenedRun['outcome'];
  readonly decisions: readonly DecisionSummary[];
  readonly code: OpenedRun['code'];
  readonly reason: string | null;
  readonly differences?: readonly string[];
  readonly token?: string;
  readonly announced?: readonly AnnouncedStep[];
}

/** What a run's first look has found, and what it was made from. */
interface Planned {
  readonly steps: readonly PlannedStep[];
  readonly token: string;
  readonly differences: readonly string[];
  readonly madeFrom: string;
}

const STILL_CHANGING = 'The episode is being changed at this moment.';

/** An episode that changes under each plan is opened over the last one; a token is refused then. */
const PLANS = 3;

/**
 * The first activity of a run (spec 15 "Starting"): decides every chosen step, then, under the episode's lock, refuses an
 * overlap with an open run and writes table `run`; what has changed under the plan meanwhile is planned again. One block refuses
 * the start. Repeating it gives the same answer.
 */
export async function openRun(deps: JudgingDependencies, request: OpenRunRequest): Promise<OpenedRun> {
  for (let left = PLANS; ; left -= 1) {
    const opened = await openOver(deps, request, await makePlan(deps, request.input), left > 1);
    if (opened) return opened;
  }
}

async function makePlan(deps: JudgingDependencies, input: RunInput): Promise<Planned> {
  const view = await readEpisodeView(deps.db, input.projectId, input.episodeId);
  // Dollars are no part of what a run is compared with: their estimate belongs to the doors.
  const steps = await planSteps({ ...deps, estimateUsd: () => 0 }, view, input, await forecast(deps, view, input));
  const token = planToken(view, input, steps);
  const differences = input.planToken === null ? [] : planDifferences(input.planToken, token);
  return { steps, token, differences, madeFrom: viewDigest(view) };
}

/** Null: what the plan was made from is no more, nothing is written, and another one `mayPlanAgain`. */
function openOver(
  deps: JudgingDependencies,
  request: OpenRunRequest,
  { steps, token, differences, madeFrom }: Planned,
  mayPlanAgain: boolean,
): Promise<OpenedRun | null> {
  const { input } = request;
  return shortTransaction(deps.db, 'Opening the run', async (tx) => {
    const episode = await lockEpisode(tx, input.projectId, input.episodeId);
    if (!episode)
      throw new AppError('episode.unknown', `There is no episode ${input.episodeId} in project ${input.projectId}.`);
    const before = (await runById(tx, request.workflowRunId)) ?? (await runByRequest(tx, input.requestId));
    if (before) return answerAgain(before, request);
    const overlap = await findOverlap(tx, request);
    if (overlap) return refuseOverlap(request, overlap, steps);
    const isOutdated = viewDigest(await readEpisodeView(tx, input.projectId, input.episodeId)) !== madeFrom;
    if (isOutdated && mayPlanAgain) return null;
    const changed = isOutdated && input.planToken !== null ? [...differences, STILL_CHANGING] : differences;
    const plan = {
      ...(changed.length > 0 ? outdatedPlan(steps, changed) : planOf(steps)),
      token,
      announced: steps.map(announcedOf),
    };
    await insertRun(tx, request, plan, episode.screenplay_version);
    if (plan.outcome === 'opened') await beginAnew(tx, input, request.workflowRunId);
    return answerOf(plan, request.workflowRunId, input.requestId);
  });
}

/**
 * The same answer again: to a repeated activity, or to a workflow that was reset to before it, which goes on with the run that it
 * came from. A second workflow that a repeated start has begun runs nothing.
 */
function answerAgain(run: Run, { workflowRunId, firstRunId }: OpenRunRequest): OpenedRun {
  const plan = JSON.parse(run.plan ?? 'null') as StoredPlan;
  const answer = answerOf(plan, run.workflow_run_id, run.request_id);
  const goesOn = run.workflow_run_id === firstRunId && run.ended_at === null;
  return run.workflow_run_id === workflowRunId || goesOn ? answer : { ...answer, answeredBefore: true };
}

/** Only ids and small values pass through Temporal: what was announced of items stays in the ledger. */
function answerOf(
  { outcome, decisions, code, reason, differences }: StoredPlan,
  ledgerRunId: string,
  requestId: string,
): OpenedRun {
  return { outcome, ledgerRunId, requestId, decisions, code, reason, ...(differences ? { differences } : {}) };
}

/** What a run started with, so that it can be compared with what was announced (spec 40 "Plan"). */
function announcedOf({ stepId, decision, calls, estimated, items }: PlannedStep): AnnouncedStep {
  const buy = items.filter((item) => item.action === 'buy').map((item) => item.itemId);
  return { stepId, action: decision.action, calls, estimated, buy };
}

/** An open run with steps in common that it has not finished. One that Temporal knows as closed is ended here. */
async function findOverlap(tx: Tx, request: OpenRunRequest): Promise<Run | null> {
  const { input } = request;
  for (const run of await openRunsOf(tx, input.projectId, input.episodeId)) {
    const unfinished = await unfinishedSteps(tx, run);
    if (!input.chosen.some((step) => unfinished.has(step))) continue;
    const closedAs = await request.stateInTemporal(run.workflow_id, run.workflow_run_id);
    if (closedAs === null) return run;
    await endRun(tx, run.workflow_run_id, closedAs);
  }
  return null;
}

function refuseOverlap(request: OpenRunRequest, overlap: Run, steps: readonly ForecastStep[]): OpenedRun {
  return {
    outcome: 'already_running',
    ledgerRunId: request.workflowRunId,
    requestId: request.input.requestId,
    decisions: steps.map(summarize),
    code: 'run.already_running',
    reason: `Run ${overlap.workflow_run_id} of ${overlap.workflow_id} is open and has steps in common.`,
  };
}

export function summarize({ stepId, decision }: Pick<ForecastStep, 'stepId' | 'decision'>): DecisionSummary {
  return {
    stepId,
    action: decision.action,
    origin: decision.origin ?? null,
    code: decision.code ?? null,
    reason: shorten(decision.reason),
  };
}

function outdatedPlan(steps: readonly ForecastStep[], differences: readonly string[]): StoredPlan {
  const reason = shorten(`What the plan was made from has changed since. ${differences.join(' ')}`);
  return { outcome: 'blocked', decisions: steps.map(summarize), code: 'plan.outdated', reason, differences };
}

function planOf(steps: readonly ForecastStep[]): StoredPlan {
  const decisions = steps.map(summarize);
  const blocker = decisions.find((decision) => decision.action === 'block');
  if (blocker) return { outcome: 'blocked', decisions, code: blocker.code, reason: blocker.reason };
  const nothing = steps.every(
    ({ decision }) =>
      decision.action === 'skip' ||
      (decision.action === 'not_applicable' && decision.expected?.status === 'not_applicable'),
  );
  return {
    outcome: nothing ? 'nothing' : 'opened',
    decisions,
    code: null,
    reason: nothing ? 'Every step is done.' : null,
  };
}

async function insertRun(tx: Tx, request: OpenRunRequest, plan: StoredPlan, screenplayVersion: number): Promise<void> {
  const { input } = request;
  await tx
    .insertInto('run')
    .values({
      workflow_run_id: request.workflowRunId,
      workflow_id: request.workflowId,
      project_id: input.projectId,
      episode_id: input.episodeId,
      request_id: input.requestId,
      chosen: JSON.stringify(input.chosen),
      force: JSON.stringify(input.force),
      items: JSON.stringify(input.items),
      screenplay_version: screenplayVersion,
      plan: JSON.stringify(plan),
      budget_usd: input.budgetUsd === null ? null : String(input.budgetUsd),
      accepted_at: input.acceptedAt,
      ended_at: null,
      state: 'open',
    })
    .execute();
  if (plan.outcome !== 'opened')
    await endRun(tx, request.workflowRunId, plan.outcome === 'nothing' ? 'done' : 'blocked');
}

/** A person's start begins to count barren takeovers anew (spec 10), is audited, and sets the run's cap. */
async function beginAnew(tx: Tx, input: RunInput, workflowRunId: string): Promise<void> {
  await resetBarrenTakeovers(tx, input.projectId, input.episodeId, input.chosen);
  const { chosen, force, items, requestId, planToken, budgetUsd } = input;
  const details = { requestId, chosen, force, items, planToken, budgetUsd };
  await audit(tx, {
    by: input.by,
    act: 'start',
    projectId: input.projectId,
    episodeId: input.episodeId,
    runId: workflowRunId,
    details,
  });
  if (input.budgetUsd === null) return;
  await tx
    .insertInto('budget')
    .values({ project_id: input.projectId, run: workflowRunId, cap_usd: String(input.budgetUsd), by: input.by })
    .execute();
}

/** Sets barren_takeovers of these steps to 0: a person has started or attached (spec 10 "A step that kills its owner"). */
export async function resetBarrenTakeovers(
  tx: Tx,
  projectId: string,
  episodeId: string,
  steps: readonly string[],
): Promise<void> {
  if (steps.length === 0) return;
  const counted = await tx
    .selectFrom('step_run')
    .select('step_id')
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .where('step_id', 'in', [...steps])
    .where('barren_takeovers', '>', 0)
    .execute();
  await lockRowsInOrder(
    tx,
    { projectId, episodeId },
    new Map(counted.flatMap((row) => (isStepId(row.step_id) ? [[row.step_id, 'update' as const]] : []))),
  );
  await tx
    .updateTable('step_run')
    .set({ barren_takeovers: 0 })
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .where('step_id', 'in', [...steps])
    .where('barren_takeovers', '>', 0)
    .execute();
}
