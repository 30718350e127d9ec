import { z } from 'zod';
import type { Json } from '../../domain/json';
import { answerSchema } from '../answers/answer-schema';
import type { EntityT2i } from '../entity-t2i/schema';
import { mustShow } from '../scene-detail/sentinel';
import type { SceneDetail } from '../scene-detail/schema';
import { shotsOf, type ShotSelection } from '../shot-selection/schema';
import type { WorldGuide } from '../world-guide/schema';
import { itemIdSchema } from './schema';

export const PROMPT_VERSION = 't2i_review/1';

export const INSTRUCTIONS = `You are the script supervisor. Read every image prompt against what its shot must show, and correct those that are wrong:
- a light or time of day that contradicts the scene's time_of_day;
- a person in the frame who is not one of the shot's characters, or is not in the cast;
- another place, or inside for outside;
- an entity's prompt that fixes what changes from scene to scene (time of day, weather, action).
Leave every prompt that is right alone; do not polish. For each correction answer the prompt's "item_id" exactly as given, the whole corrected prompt, and the reason in one English sentence that names the contradiction. Answer an empty list if all are right. Answer only with JSON of the schema.`;

export const t2iReviewAnswer = z.object({
  corrections: z.array(z.object({ item_id: z.string(), t2i_prompt: z.string().min(1).max(8000), reason: z.string() })),
});

export const ANSWER_SCHEMA = answerSchema(
  z.object({ corrections: z.array(t2iReviewAnswer.shape.corrections.element.extend({ item_id: itemIdSchema })) }),
);

export interface ReviewSources {
  readonly guide: WorldGuide;
  readonly selection: ShotSelection;
  readonly entities: EntityT2i;
  readonly detail: SceneDetail;
}

/** Every prompt with its id and what it must show. The one request in which ids made from positions stand (spec 00, "Words"). */
export function t2iReviewInput({ guide, selection, entities, detail }: ReviewSources): Json {
  const shots = new Map(shotsOf(selection).map(({ scene, shot }) => [shot.shot_id, { scene, shot }]));
  const descriptions = new Map(
    [...guide.characters, ...guide.places, ...guide.props].map((one) => [one.name, one.description]),
  );
  return {
    language: guide.language,
    cast: guide.characters.map(({ name, aliases }) => ({ name, aliases })),
    places: guide.places.map(({ name, interior }) => ({ name, interior })),
    entities: entities.entities.map((entity, position) => ({
      item_id: `E_L${position}`,
      kind: entity.kind,
      name: entity.name,
      description: descriptions.get(entity.name) ?? '',
      t2i_prompt: entity.t2i_prompt,
    })),
    shots: detail.scenes.flatMap((entry, position) =>
      entry.t2i_variations.map((variation, ordinal): Json => {
        const found = shots.get(variation.shot_id);
        return {
          item_id: `S${entry.scene_index}_L${position}_V${ordinal}`,
          heading: found?.scene.heading ?? '',
          must_show: found ? mustShow(found.scene, found.shot) : null,
          t2i_prompt: variation.t2i_prompt,
        };
      }),
    ),
  };
}
