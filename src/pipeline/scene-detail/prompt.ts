import { z } from 'zod';
import type { Json } from '../../domain/json';
import { answerSchema } from '../answers/answer-schema';
import { contentLabels, foldName } from '../content-labels';
import type { EntityT2i } from '../entity-t2i/schema';
import { sceneContent } from '../scene-content';
import type { Scene } from '../screenplay/screenplay';
import type { SelectedScene, Shot } from '../shot-selection/schema';
import type { WorldGuide } from '../world-guide/schema';

export const PROMPT_VERSION = 'scene_detail/1';

export const INSTRUCTIONS = `You write the image prompt of every shot of one scene for an image model.
Each prompt stands alone: framing and camera, subject and action, who is in the frame (only the shot's characters, by name), the place, the light of the scene's time of day, the mood, the style. English, at most 120 words; names and quoted lines stay in their own script.
The entities listed have reference prompts of their own that go with the picture: name them, do not describe their looks again.
Write nothing that contradicts the scene's heading, and nobody who is not in the shot.
Answer one variation for each shot, under the shot's own label. Answer only with JSON of the schema.`;

export const sceneDetailAnswer = z.object({
  variations: z.array(z.object({ shot: z.string(), t2i_prompt: z.string().min(1).max(8000) })),
});

export const ANSWER_SCHEMA = answerSchema(sceneDetailAnswer);

export interface SceneSources {
  readonly scene: Scene;
  readonly selected: SelectedScene;
  readonly guide: WorldGuide;
  readonly entities: EntityT2i;
  readonly style: string;
}

/** The labels by which the model names the shots of a scene; made from their content. */
export function shotLabels(selected: SelectedScene): string[] {
  return contentLabels(selected.shots.map(shotContent));
}

/**
 * What the model works on: the scene's text and its shots by content, no id and no position, so that the request is the same wherever
 * the scene stands (spec 00, "Words"). Of the world guide only what the scene shows.
 */
export function sceneDetailInput({ scene, selected, guide, entities, style }: SceneSources): Json {
  const labels = shotLabels(selected);
  const shown = new Set(
    selected.shots
      .flatMap((shot) => [...shot.characters, ...shot.props])
      .concat(selected.place)
      .map(foldName),
  );
  return {
    style,
    era: guide.era,
    scene: {
      ...sceneContent(scene),
      place: selected.place,
      interior: selected.interior,
      time_of_day: selected.time_of_day,
      mood: selected.mood,
    },
    cast: guide.characters
      .filter((one) => shown.has(foldName(one.name)))
      .map(({ name, description }) => ({ name, description })),
    place_description: guide.places.find((one) => foldName(one.name) === foldName(selected.place))?.description ?? '',
    // Names only: an editor's change of an entity's prompt must not make this request another one.
    entities: entities.entities
      .filter((entity) => shown.has(foldName(entity.name)))
      .map(({ kind, name }) => ({ kind, name })),
    shots: selected.shots.map((shot, ordinal) => ({ shot: labels[ordinal]!, ...shotContent(shot) })),
  };
}

/** A shot without its id and without its switch, which says nothing about the picture. */
function shotContent({ size, camera, subject, characters, props, action, caption, speaker }: Shot): {
  readonly [key: string]: Json;
} {
  return { size, camera, subject, characters: [...characters], props: [...props], action, caption, speaker };
}
