import { AppError } from '../domain/errors';
import { meetsNeed } from '../domain/status';
import { THE_ONE_ITEM, downstreamOf, type StepId } from '../domain/steps';
import { hashOf } from '../hash';
import { ifReadable } from '../pipeline/checkpoint-body';
import type { StepDefinition, StepInputs } from '../pipeline/definition';
import { loadShotSelection, shotsOf } from '../pipeline/shot-selection/schema';
import type { JudgingDependencies } from './dependencies';
import { withBodies, type EpisodeView } from './episode-view';

/** Items of a step that read a change; null where that cannot be told, since what the step reads has a hole. */
export type Readers = readonly string[] | null;

/**
 * Those of a step's kept items that are to be looked at again. Where it cannot be told which, all of them: a marked item whose
 * request turns out to be unchanged is reused at no cost, and a mark that was not made is lost for good.
 */
export function keptReaders(readers: Readers, kept: ReadonlyMap<string, unknown>): readonly string[] {
  return readers === null ? [...kept.keys()] : readers.filter((item) => kept.has(item));
}

/**
 * What a force of items marks of a step below, before anything has changed: as `keptReaders`, and where the step is not finished
 * all that read it. It may make what it lacks before the change comes, and that would never be looked at again.
 */
export function readersAhead(
  readers: Readers,
  kept: ReadonlyMap<string, unknown>,
  status: string | undefined,
): readonly string[] {
  return readers === null || meetsNeed(status) ? keptReaders(readers, kept) : readers;
}

/** The items whose request differs between two states of the inputs, by step: what reads a change (spec 20 "Items"). */
export function itemsThatRead(
  steps: readonly StepDefinition[],
  before: StepInputs,
  after: StepInputs,
): ReadonlyMap<StepId, Readers> {
  return new Map(steps.map((step) => [step.id, moved(hashesOfKept(step, before), hashesOfKept(step, after))]));
}

type Hashes = ReadonlyMap<string, string> | null;

function moved(old: Hashes, changed: Hashes): Readers {
  if (old === null || changed === null) return null;
  return [...changed].filter(([item, hash]) => old.get(item) !== hash).map(([item]) => item);
}

/**
 * Hash of the request of every item that may be kept, as `hashesByItem`. The picture of a shot that is switched off stays (spec 20 "Contract"), and what it
 * read may change meanwhile: switched on again, it would else come back as it was.
 */
export function hashesOfKept(step: StepDefinition, inputs: StepInputs): Hashes {
  const shots = ifReadable(() => shotsOf(loadShotSelection(inputs))) ?? [];
  return hashesByItem(step, { ...inputs, shotSwitches: new Map(shots.map(({ shot }) => [shot.shot_id, true])) });
}

/** Hash of the request of each item; empty where the step does not apply, null where it cannot read what it needs. */
export function hashesByItem(step: StepDefinition, inputs: StepInputs): Hashes {
  try {
    if (!step.applies(inputs)) return new Map();
    return new Map(
      step.calls(inputs).flatMap((call) => call.items.map((item) => [item, hashOf(call.request)] as const)),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.contract_violation') return null;
    throw error;
  }
}

/**
 * Which items downstream read what a force of `items` will make anew: those whose request moves when the prompts and images
 * of just these items move (spec 20 "Items": forcing items marks downstream only the items whose request reads them).
 */
export function dependentsOf(
  deps: Pick<JudgingDependencies, 'steps'>,
  view: EpisodeView,
  stepId: StepId,
  items: readonly string[],
): ReadonlyMap<StepId, Readers> {
  const body = view.checkpoints.get(stepId)?.body;
  if (body === undefined) return new Map(downstreamOf(stepId).map((below) => [below, null]));
  if (items.includes(THE_ONE_ITEM)) return readersOf(deps, view, stepId);
  const after = withBodies(view.inputs, new Map([[stepId, moveItems(body, new Set(items))]]));
  return itemsThatRead(
    downstreamOf(stepId).map((below) => deps.steps[below]),
    view.inputs,
    after,
  );
}

/** Of a step with the one item `all`: every item whose request would be another one, or none at all, without its checkpoint. */
function readersOf(
  { steps }: Pick<JudgingDependencies, 'steps'>,
  { inputs }: EpisodeView,
  stepId: StepId,
): ReadonlyMap<StepId, Readers> {
  const without = withBodies(inputs, new Map([[stepId, undefined]]));
  return new Map(
    downstreamOf(stepId).map((below) => {
      const then = hashesOfKept(steps[below], without) ?? new Map<string, string>();
      return [below, moved(then, hashesOfKept(steps[below], inputs))];
    }),
  );
}

const ITEM_KEYS = ['shot_id', 'entity_id', 'item_id'];
const MOVED_KEYS = ['t2i_prompt', 'artifact'];

/** The same body with the prompt and the image of the named items changed, wherever they stand. */
function moveItems(value: unknown, items: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => moveItems(entry, items));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isNamed = entries.some(
    ([key, entry]) => ITEM_KEYS.includes(key) && typeof entry === 'string' && items.has(entry),
  );
  return Object.fromEntries(
    entries.map(([key, entry]) => [
      key,
      isNamed && MOVED_KEYS.includes(key) && typeof entry === 'string'
        ? hashOf(['moved', entry])
        : moveItems(entry, items),
    ]),
  );
}
