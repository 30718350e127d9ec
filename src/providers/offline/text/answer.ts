import type { Json } from '../../../domain/json';
import { findContinuity } from './continuity';
import { writeEntityPrompt } from './entity-prompt';
import { reviewPrompts } from './review';
import { writeScenePrompts } from './scene-detail';
import { selectShots } from './shot-selection';
import { writeWorldGuide } from './world-guide';

/** The text tasks that the offline writer knows. */
const WRITERS: Readonly<Record<string, (input: Json) => Json>> = {
  world_guide: writeWorldGuide,
  shot_selection: selectShots,
  entity_t2i: writeEntityPrompt,
  scene_detail: writeScenePrompts,
  shot_dependency_t2i: findContinuity,
  t2i_review: reviewPrompts,
};

/**
 * The offline answer to a text task (spec 40, "Offline"): a pure function of the request's input, without clock or random, so that the same
 * request has the same bytes for ever. Throws RangeError for a task that it does not know: a bug of the caller.
 */
export function answerOffline(task: string, input: Json): Json {
  const write = Object.hasOwn(WRITERS, task) ? WRITERS[task] : undefined;
  if (!write) throw new RangeError(`The offline writer has no task ${JSON.stringify(task)}.`);
  return write(input);
}
