import type { PlanBody, PlanItemBody, PlanStepBody } from '../bodies/plan';
import { RUNNING_ACTIONS } from '../domain/decision';
import { AppError } from '../domain/errors';
import { upstreamOf, type StepId } from '../domain/steps';
import { estimateCalls } from '../execution/estimate';
import { readEpisodeView, type EpisodeView } from '../execution/episode-view';
import { forecast, type ForecastStep, type RunChoice } from '../execution/forecast';
import { planCalls, type CallPlan } from '../execution/needed-items';
import { planToken } from '../execution/plan-token';
import { requestStates, type RequestState } from '../purchases/request-states';
import { WHOLE_STEP, readGenerations } from '../store/generations';
import { keptItems } from '../store/items';
import { staleMarks } from '../store/stale-marks';
import { assumptionOf } from './assume';
import { checkItems, runChoiceOf } from './choice';
import type { Choice } from './contract';
import type { OperationDependencies } from './dependencies';

/**
 * What a run would do, and what it would cost, without changing anything (spec 40 "Plan"). Exact where a step's inputs exist;
 * `estimated` where an earlier step of the same plan makes them. Throws episode.unknown, step.unknown, step.item_unknown.
 */
export async function plan(deps: OperationDependencies, input: Choice & { readonly assume?: readonly string[] }): Promise<PlanBody> {
  const choice = runChoiceOf(input);
  const view = await readEpisodeView(deps.db, input.projectId, input.episodeId, assumptionOf(input.assume ?? []));
  checkItems(deps.steps, view, choice.items);
  const steps = await forecast(deps, view, choice);
  const willRun = new Set<StepId>();
  const planned: PlanStepBody[] = [];
  for (const step of steps) {
    planned.push(await planStep(deps, view, choice, step, willRun));
    if (RUNNING_ACTIONS.has(step.decision.action)) willRun.add(step.stepId);
  }
  return {
    token: planToken(view, choice, steps),
    mode: choice.force.length > 0 || Object.keys(choice.items).length > 0 ? 'force' : 'resume',
    steps: planned,
    calls: planned.reduce((sum, step) => sum + step.calls, 0),
    costUsd: cents(planned.reduce((sum, step) => sum + step.costUsd, 0)),
  };
}

/** Sums of dollars without the dust of binary fractions. */
function cents(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

async function planStep(
  deps: OperationDependencies,
  view: EpisodeView,
  choice: RunChoice,
  { stepId, decision }: ForecastStep,
  willRun: ReadonlySet<StepId>,
): Promise<PlanStepBody> {
  const base = {
    stepId,
    action: decision.action,
    origin: decision.origin ?? null,
    code: decision.code ?? null,
    reason: decision.reason,
    evidence: [...decision.evidence],
  };
  const kept = await keptItems(deps.db, { projectId: view.projectId, episodeId: view.episodeId, stepId });
  if (!RUNNING_ACTIONS.has(decision.action)) {
    const reused = [...kept.values()].filter((item) => item.status === 'done').length;
    return { ...base, calls: 0, costUsd: 0, reused: decision.action === 'skip' ? reused : 0, inDoubt: 0, estimated: false, items: [] };
  }
  const estimated = upstreamOf(stepId).some((step) => willRun.has(step));
  const calls = await callPlansOf(deps, view, choice, stepId);
  if (!calls) {
    const count = estimateCalls(stepId, view.inputs.screenplay);
    return { ...base, calls: count, costUsd: cents(count * typicalUsd(deps, view, stepId)), reused: 0, inDoubt: 0, estimated: true, items: [] };
  }
  return { ...base, ...(await priced(deps, view, choice, stepId, calls)), estimated };
}

/** null: what the step reads is not there yet. */
async function callPlansOf(deps: OperationDependencies, view: EpisodeView, choice: RunChoice, stepId: StepId): Promise<readonly CallPlan[] | null> {
  const step = deps.steps[stepId];
  const key = { projectId: view.projectId, episodeId: view.episodeId, stepId };
  if (step.needs.some((need) => !view.checkpoints.has(need) && view.rows.get(need)?.status !== 'not_applicable')) return null;
  try {
    const forced = choice.force.includes(stepId) ? 'all' : (choice.items[stepId] ?? []);
    const kept = new Map([...(await keptItems(deps.db, key))].filter(([item]) => forced !== 'all' && !forced.includes(item)));
    return await planCalls(step, step.applies(view.inputs) ? step.calls(view.inputs) : [], kept, await marksOf(deps, view, stepId), deps.artifacts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.contract_violation') return null;
    throw error;
  }
}

/** A stale row without marks means all its items (spec 20 "Items"). */
async function marksOf(deps: OperationDependencies, view: EpisodeView, stepId: StepId): Promise<ReadonlyMap<string, string>> {
  const marks = await staleMarks(deps.db, { projectId: view.projectId, episodeId: view.episodeId, stepId });
  return marks.size === 0 && view.rows.get(stepId)?.status === 'stale' ? new Map([[WHOLE_STEP, 'stale_row']]) : marks;
}

async function priced(deps: OperationDependencies, view: EpisodeView, choice: RunChoice, stepId: StepId, calls: readonly CallPlan[]) {
  const key = { projectId: view.projectId, episodeId: view.episodeId, stepId };
  const generations = await readGenerations(deps.db, key);
  const states = await requestStates(deps.db, key.projectId, key.episodeId, stepId);
  const opensGeneration = (item: string): number => (choice.force.includes(stepId) || choice.items[stepId]?.includes(item) ? 1 : 0);
  const items: PlanItemBody[] = [];
  let [bought, costUsd, reused, inDoubt] = [0, 0, 0, 0];
  for (const call of calls) {
    const generation = Math.max(0, ...call.needed.map((item) => generations.of(item) + opensGeneration(item)));
    const state = call.needed.length > 0 ? states(call.requestHash, generation) : 'settled';
    const outcome = outcomeOf(state);
    if (call.needed.length > 0 && outcome.action === 'buy') {
      bought += 1;
      costUsd += deps.estimateUsd(call.call.request, view.config);
    }
    for (const item of call.call.items) {
      const planned = call.givenUp.includes(item)
        ? ({ action: 'keep_failed', reason: 'given up by the operator' } as const)
        : call.needed.includes(item)
          ? outcome
          : ({ action: 'reuse', reason: 'its result is kept' } as const);
      if (planned.action === 'reuse') reused += 1;
      if (planned.action === 'in_doubt') inDoubt += 1;
      items.push({ itemId: item, ...planned });
    }
  }
  return { calls: bought, costUsd: cents(costUsd), reused, inDoubt, items };
}

function outcomeOf(state: RequestState): Omit<PlanItemBody, 'itemId'> {
  switch (state) {
    case 'settled':
      return { action: 'reuse', reason: 'its call was paid for, and the answer is kept' };
    case 'refused':
      return { action: 'keep_failed', reason: 'the provider refused it' };
    case 'given_up':
      return { action: 'keep_failed', reason: 'given up by the operator' };
    case 'open':
    case 'in_doubt':
      return { action: 'in_doubt', reason: 'its call may have been paid for' };
    case 'buy_again':
      return { action: 'buy', reason: 'asked again under the same key, or as the operator said' };
    case 'none':
      return { action: 'buy', reason: 'it has no result that stands' };
  }
}

/** For a call whose request is not known yet: a request of the step's kind and model. */
function typicalUsd(deps: OperationDependencies, view: EpisodeView, stepId: StepId): number {
  const { kind, promptVersion } = deps.steps[stepId];
  const { config } = view;
  return deps.estimateUsd(
    kind === 'text'
      ? { kind, provider: config['provider.text'], model: config['model.text'], task: stepId, promptVersion, instructions: '', input: view.episode.screenplay, schema: {} }
      : { kind, provider: config['provider.image'], model: config['model.image'], task: stepId, promptVersion, prompt: '', card: {}, style: config.style, width: 1024, height: 576, references: [] },
    config,
  );
}
