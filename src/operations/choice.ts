import { AppError } from '../domain/errors';
import { checkStep } from '../domain/ids';
import { STEP_IDS, downstreamOf, type StepId } from '../domain/steps';
import type { EpisodeView } from '../execution/episode-view';
import type { RunChoice } from '../execution/forecast';
import type { StepDefinition } from '../pipeline/definition';
import type { Choice } from './contract';

/**
 * What a person chose, checked: `steps` and `from` only choose, `force` and `items` force what they name (spec 20). Throws
 * step.unknown, input.invalid.
 */
export function runChoiceOf(choice: Choice): RunChoice {
  if (choice.steps && choice.from !== undefined)
    throw new AppError('input.invalid', 'Give --steps or --from, not both.');
  const from = choice.from === undefined ? null : checkStep(choice.from);
  const chosen = from ? [from, ...downstreamOf(from)] : (choice.steps?.map(checkStep) ?? [...STEP_IDS]);
  if (chosen.length === 0) throw new AppError('input.invalid', 'No step is chosen.');
  const force = (choice.force ?? []).map(checkStep);
  const items = Object.fromEntries(
    Object.entries(choice.items ?? {}).map(([step, list]) => [checkStep(step), [...new Set(list)]]),
  );
  for (const named of [...force, ...(Object.keys(items) as StepId[])])
    if (!chosen.includes(named))
      throw new AppError('input.invalid', `${named} is forced, but not among the chosen steps: ${chosen.join(', ')}.`);
  for (const [step, list] of Object.entries(items) as [StepId, readonly string[]][]) {
    if (list.length === 0) throw new AppError('input.invalid', `No item of ${step} is named.`);
    if (force.includes(step))
      throw new AppError('input.invalid', `${step} is forced as a whole and by items: give one of them.`);
  }
  return {
    chosen: STEP_IDS.filter((step) => chosen.includes(step)),
    force: STEP_IDS.filter((step) => force.includes(step)),
    items,
  };
}

/** Every item that is named must be one of its step. Throws step.item_unknown, naming some that there are. */
export function checkItems(
  steps: Readonly<Record<StepId, StepDefinition>>,
  view: EpisodeView,
  items: RunChoice['items'],
): void {
  for (const [step, named] of Object.entries(items) as [StepId, readonly string[]][]) {
    const known = new Set(itemsOf(steps[step], view));
    const unknown = named.find((item) => !known.has(item));
    if (unknown === undefined) continue;
    const some = [...known].slice(0, 5).join(', ') || 'none yet';
    throw new AppError(
      'step.item_unknown',
      `${step} has no item ${JSON.stringify(unknown.slice(0, 80))}. It has: ${some}${known.size > 5 ? ', …' : ''}.`,
    );
  }
}

function itemsOf(step: StepDefinition, view: EpisodeView): readonly string[] {
  try {
    return step.applies(view.inputs) ? step.calls(view.inputs).flatMap((call) => [...call.items]) : [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.contract_violation') return []; // what it reads is not there yet
    throw error;
  }
}
