import { RUNNING_ACTIONS } from '../domain/decision';
import { AppError } from '../domain/errors';
import { upstreamOf, type StepId } from '../domain/steps';
import type { ProjectConfig } from '../pipeline/project-config';
import type { ProviderRequest } from '../providers/port';
import { requestStates } from '../purchases/request-states';
import { WHOLE_STEP, readGenerations } from '../store/generations';
import { keptItems, type KeptItem } from '../store/items';
import { staleMarks } from '../store/stale-marks';
import { eyesOf, type JudgingDependencies } from './dependencies';
import type { EpisodeView } from './episode-view';
import { estimateCalls } from './estimate';
import { keptAsPlanned } from './kept-as-planned';
import { withoutSetAside, type ForecastStep, type RunChoice } from './forecast';
import { planCalls, type CallPlan } from './needed-items';
import type { PlannedStep } from './planned-step';
import { priceCalls, roundUsd } from './price-calls';

export interface PlanDependencies extends JudgingDependencies {
  /** Upper estimate of a request, in US dollars. */
  estimateUsd(request: ProviderRequest, config: ProjectConfig): number;
}

/**
 * What a run would do with every item, and what it would cost (spec 40 "Plan"). Writes nothing. Exact where a step's inputs
 * exist; `estimated` where an earlier step of the same plan makes them, after an editor: at most.
 */
export async function planSteps(
  deps: PlanDependencies,
  view: EpisodeView,
  choice: RunChoice,
  steps: readonly ForecastStep[],
): Promise<readonly PlannedStep[]> {
  const willRun = new Set<StepId>();
  const willBeSetAside = new Set<StepId>();
  const planned: PlannedStep[] = [];
  for (const step of steps) {
    const seen = { ...view, inputs: withoutSetAside(view.inputs, willBeSetAside) };
    planned.push(await planStep({ deps, view: seen, choice, willRun, willBeSetAside }, step));
    if (step.decision.action === 'not_applicable') willBeSetAside.add(step.stepId);
    if (RUNNING_ACTIONS.has(step.decision.action)) willRun.add(step.stepId);
  }
  return planned;
}

interface Planning {
  readonly deps: PlanDependencies;
  readonly view: EpisodeView;
  readonly choice: RunChoice;
  /** Steps of the plan that run before this one. */
  readonly willRun: ReadonlySet<StepId>;
  readonly willBeSetAside: ReadonlySet<StepId>;
}

async function planStep(planning: Planning, step: ForecastStep): Promise<PlannedStep> {
  const { deps, view, willRun } = planning;
  const { stepId, decision } = step;
  const key = keyOf(view, stepId);
  const kept = await keptItems(deps.db, key);
  const above = upstreamOf(stepId).filter((one) => willRun.has(one));
  const mayFollowEditor =
    decision.action === 'skip' && above.some((one) => deps.steps[one].modifiesCheckpoints.length > 0);
  if (!RUNNING_ACTIONS.has(decision.action) && !mayFollowEditor) {
    const items = decision.action === 'skip' ? keptAsPlanned(deps.steps[stepId], view.inputs, kept) : [];
    const reused = items.filter((item) => item.action === 'reuse').length;
    return { ...step, calls: 0, costUsd: 0, reused, inDoubt: 0, estimated: false, items, requestHashes: [] };
  }
  const estimated = above.length > 0;
  // After an editor: at most, since nobody knows yet which prompts it will change.
  const asked: ForecastStep = mayFollowEditor ? { ...step, askedAgain: 'all' } : step;
  const calls = await callPlansOf(planning, asked, kept);
  if (!calls) {
    const count = estimateCalls(stepId, view.inputs.screenplay);
    return {
      ...step,
      calls: count,
      costUsd: roundUsd(count * typicalUsd(planning, stepId)),
      reused: 0,
      inDoubt: 0,
      estimated: true,
      items: [],
      requestHashes: [],
    };
  }
  const exact = estimated ? [] : calls.filter((call) => call.needed.length > 0);
  const requestHashes = exact.map((call) => call.requestHash);
  return { ...step, ...(await priced(planning, asked, calls)), estimated, requestHashes };
}

function keyOf({ projectId, episodeId }: EpisodeView, stepId: StepId) {
  return { projectId, episodeId, stepId };
}

/** null: what the step reads is not there yet. */
async function callPlansOf(
  { deps, view, choice, willBeSetAside }: Planning,
  { stepId, askedAgain }: ForecastStep,
  kept: ReadonlyMap<string, KeptItem>,
): Promise<readonly CallPlan[] | null> {
  const step = deps.steps[stepId];
  const isSetAside = (need: StepId) => willBeSetAside.has(need) || view.rows.get(need)?.status === 'not_applicable';
  if (step.needs.some((need) => !view.checkpoints.has(need) && !isSetAside(need))) return null;
  const named = choice.items[stepId] ?? [];
  const isAskedAnew = (item: string) =>
    choice.force.includes(stepId) || named.includes(item) || askedAgain === 'all' || askedAgain.has(item);
  try {
    const calls = step.applies(view.inputs) ? step.calls(view.inputs) : [];
    const standing = new Map([...kept].filter(([item]) => !isAskedAnew(item)));
    return await planCalls(step, calls, standing, await marksOf(deps, view, stepId), deps.artifacts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.contract_violation') return null;
    throw error;
  }
}

/** A stale row without marks means all its items (spec 20 "Items"). */
async function marksOf(
  deps: PlanDependencies,
  view: EpisodeView,
  stepId: StepId,
): Promise<ReadonlyMap<string, string>> {
  const marks = await staleMarks(deps.db, keyOf(view, stepId));
  return marks.size === 0 && view.rows.get(stepId)?.status === 'stale' ? new Map([[WHOLE_STEP, 'stale_row']]) : marks;
}

async function priced(
  { deps, view, choice }: Planning,
  { stepId, askedAgain }: ForecastStep,
  calls: readonly CallPlan[],
) {
  const key = keyOf(view, stepId);
  const generations = await readGenerations(deps.db, key);
  const opens = (item: string): number =>
    choice.force.includes(stepId) || choice.items[stepId]?.includes(item) ? 1 : 0;
  const inDoubt = view.config[deps.steps[stepId].kind === 'text' ? 'inDoubt.text' : 'inDoubt.image'];
  // A call of this very process is near its end: a run would wait for it.
  const eyes = { identity: deps.identity, holds: () => true, pidExists: eyesOf(deps).pidExists };
  return priceCalls(calls, {
    states: await requestStates(deps.db, key, inDoubt, eyes),
    generationOf: (item) => generations.of(item) + opens(item),
    willReadAnew: (item) => askedAgain === 'all' || askedAgain.has(item),
    estimateUsd: (request) => deps.estimateUsd(request, view.config),
  });
}

/** For a call whose request is not known yet: a request of the step's kind and model. */
function typicalUsd({ deps, view }: Planning, stepId: StepId): number {
  const { kind, promptVersion } = deps.steps[stepId];
  const { config } = view;
  return deps.estimateUsd(
    kind === 'text'
      ? {
          kind,
          provider: config['provider.text'],
          model: config['model.text'],
          task: stepId,
          promptVersion,
          instructions: '',
          input: view.episode.screenplay,
          schema: {},
        }
      : {
          kind,
          provider: config['provider.image'],
          model: config['model.image'],
          task: stepId,
          promptVersion,
          prompt: '',
          card: {},
          style: config.style,
          width: 1024,
          height: 576,
          references: [],
        },
    config,
  );
}
