import type { PlanBody, PlanStepBody } from '../bodies/plan';
import { RUNNING_ACTIONS } from '../domain/decision';
import { readEpisodeView, type EpisodeView } from '../execution/episode-view';
import { forecast } from '../execution/forecast';
import { planSteps } from '../execution/plan-steps';
import { planToken } from '../execution/plan-token';
import type { PlannedStep } from '../execution/planned-step';
import { roundUsd } from '../execution/price-calls';
import type { StepDefinition } from '../pipeline/definition';
import { assumptionsOf, withPromptVersions, type Assumptions } from './assume';
import { checkItems, runChoiceOf } from './choice';
import { callTimesOf } from '../purchases/call-times';
import { costOf } from '../purchases/cost-of';
import { callSecondsByStep, expectedMinutes, totalMinutes } from './expected-minutes';
import { withDatabaseErrors } from '../db/errors';
import type { Choice } from './contract';
import type { OperationDependencies } from './dependencies';
import { sumUsd } from './queries/dollars';

/**
 * What a run would do, and what it would cost, without changing anything (spec 40 "Plan"). Exact where a step's inputs exist;
 * `estimated` where an earlier step of the same plan makes them. `assume`: what if. Throws episode.unknown, step.unknown,
 * step.item_unknown, input.invalid, config.*.
 */
export async function plan(
  deps: OperationDependencies,
  input: Choice & { readonly assume?: readonly string[] },
): Promise<PlanBody> {
  const choice = runChoiceOf(input);
  const assumed = assumptionsOf(input.assume ?? []);
  const view = await readEpisodeView(deps.db, input.projectId, input.episodeId, assumed.config);
  const planning = { ...deps, steps: withPromptVersions(deps.steps, assumed.promptVersions) };
  checkItems(planning.steps, view, choice.items);
  const planned = await planSteps(planning, view, choice, await forecast(planning, view, choice));
  const callSeconds = callSecondsByStep(
    await withDatabaseErrors('Reading how long calls took', () => callTimesOf(deps.db, input.projectId)),
  );
  const atRisk = await atRiskByStep(deps, view);
  const steps = planned.map((step) =>
    bodyOf(step, assumed, deps.steps[step.stepId], {
      minutes: expectedMinutes(step.calls, callSeconds.get(step.stepId), () =>
        deps.limitsOf(providerOf(deps.steps[step.stepId], view.config), view.config),
      ),
      atRiskUsd: atRisk.get(step.stepId) ?? 0,
    }),
  );
  return {
    token: planToken(view, choice, planned),
    mode: choice.force.length > 0 || Object.keys(choice.items).length > 0 ? 'force' : 'resume',
    steps,
    calls: planned.reduce((sum, step) => sum + step.calls, 0),
    costUsd: roundUsd(planned.reduce((sum, step) => sum + step.costUsd, 0)),
    atRiskUsd: sumUsd(steps.map((step) => step.atRiskUsd)),
    expectedMinutes: totalMinutes(steps.map((step) => step.expectedMinutes)),
  };
}

/** Dollars of earlier calls that may have been charged (spec 40), by step. Throws db.unavailable. */
async function atRiskByStep(
  { db }: Pick<OperationDependencies, 'db'>,
  { projectId, episodeId }: EpisodeView,
): Promise<ReadonlyMap<string, number>> {
  const costs = await withDatabaseErrors('Reading what is at risk failed', () => costOf(db, projectId, episodeId));
  return new Map(costs.map((cost) => [cost.stepId, cost.atRiskUsd]));
}

/** The provider that a step's calls go to. */
function providerOf({ kind }: StepDefinition, config: EpisodeView['config']): string {
  return kind === 'text' ? config['provider.text'] : config['provider.image'];
}

/** What earlier calls of a step say. */
interface Earlier {
  /** Expected of the calls of this plan; null where nothing is known. */
  readonly minutes: number | null;
  readonly atRiskUsd: number;
}

function bodyOf(
  { stepId, decision, calls, costUsd, reused, inDoubt, estimated, items }: PlannedStep,
  assumed: Assumptions,
  step: StepDefinition,
  { minutes, atRiskUsd }: Earlier,
): PlanStepBody {
  const version = assumed.promptVersions.get(stepId);
  const asksAgain = RUNNING_ACTIONS.has(decision.action);
  const note =
    version === undefined || asksAgain
      ? ''
      : ' A new prompt version by itself asks nothing again: force the step, or items of it.';
  const evidence =
    version === undefined
      ? []
      : [{ what: 'prompt_version assumed', where: stepId, expected: version, found: step.promptVersion }];
  return {
    stepId,
    action: decision.action,
    origin: decision.origin ?? null,
    code: decision.code ?? null,
    reason: `${decision.reason}${note}`,
    evidence: [...decision.evidence, ...evidence],
    calls,
    costUsd,
    expectedMinutes: minutes,
    reused,
    inDoubt,
    atRiskUsd,
    estimated,
    items: [...items],
  };
}
