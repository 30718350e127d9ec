import { z } from 'zod';
import type { Json } from '../../domain/json';
import { answerSchema } from '../answers/answer-schema';
import { contentLabels } from '../content-labels';
import { variationsByShot, type SceneDetail } from '../scene-detail/schema';
import { shotsOf, type ShotSelection } from '../shot-selection/schema';

export const PROMPT_VERSION = 'shot_dependency_t2i/1';

export const INSTRUCTIONS = `You keep the continuity of a storyboard. The shots are listed in story order.
For each shot say which earlier shot it must look like (same people in the same clothes, same place in the same light, same object), or null if none: "looks_like" is that shot's label, which must stand before it in the list. Choose the nearest one that matters. "reason": one short English sentence, or ''.
Answer every shot's label once. Answer only with JSON of the schema.`;

export const shotDependencyAnswer = z.object({
  dependencies: z.array(z.object({ shot: z.string(), looks_like: z.string().nullable(), reason: z.string() })),
});

export const ANSWER_SCHEMA = answerSchema(shotDependencyAnswer);

/** A shot as the continuity model sees it, and the label that it answers with. */
export interface LabelledShot {
  readonly label: string;
  readonly shotId: string;
  readonly content: { readonly [key: string]: Json };
}

/** All shots in story order, by labels made from their content. */
export function labelledShots(selection: ShotSelection, detail: SceneDetail): LabelledShot[] {
  const variations = variationsByShot(detail);
  const shots = shotsOf(selection).map(({ scene, shot }) => ({
    shotId: shot.shot_id,
    content: {
      heading: scene.heading,
      place: scene.place,
      interior: scene.interior,
      time_of_day: scene.time_of_day,
      size: shot.size,
      characters: [...shot.characters],
      props: [...shot.props],
      action: shot.action,
      t2i_prompt: variations.get(shot.shot_id)?.t2i_prompt ?? '',
    },
  }));
  // An editor's change of a prompt must not rename the shot.
  const labels = contentLabels(shots.map(({ content: { t2i_prompt: _prompt, ...rest } }) => rest));
  return shots.map((shot, ordinal) => ({ label: labels[ordinal]!, ...shot }));
}

export function shotDependencyInput(shots: readonly LabelledShot[]): Json {
  return { shots: shots.map(({ label, content }) => ({ shot: label, ...content })) };
}
