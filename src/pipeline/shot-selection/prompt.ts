import { z } from 'zod';
import type { Json } from '../../domain/json';
import { answerSchema } from '../answers/answer-schema';
import { contentLabels } from '../content-labels';
import type { StepInputs } from '../definition';
import { sceneContent } from '../scene-content';
import { loadWorldGuide } from '../world-guide/schema';
import { shotSchema } from './schema';

export const PROMPT_VERSION = 'shot_selection/1';

export const INSTRUCTIONS = `You are the director's storyboard assistant. Choose the shots of every scene.
For each scene answer its "scene" label, its mood in one or two English words, its time of day (dawn, morning, day, evening, dusk, night; the heading's own if it has one, else what the text shows, else ''), its place (one name of the world guide's places, or '' if none fits), and one to four shots in story order: fewer for short scenes and in a long screenplay.
Vary the sizes: open on the place, come closer where it matters, and end on an image. For each shot:
- camera: height, angle, movement, in a few English words.
- subject: what the frame is about. characters: those in the frame, by their names in the world guide. props: those in the frame.
- action: what happens, from the text. caption: the line spoken during the shot, in its own language and unchanged, or ''; speaker: who says it, or ''.
- on: whether the shot is to be drawn in the first draft; the ones that carry the story.
Answer only with JSON of the schema; every scene's label once.`;

export const shotSelectionAnswer = z.object({
  scenes: z.array(
    z.object({
      scene: z.string(),
      mood: z.string(),
      time_of_day: z.enum(['dawn', 'morning', 'day', 'evening', 'dusk', 'night', '']),
      place: z.string(),
      shots: z.array(shotSchema.omit({ shot_id: true })),
    }),
  ),
});

export type ShotSelectionAnswer = z.infer<typeof shotSelectionAnswer>;

export const ANSWER_SCHEMA = answerSchema(shotSelectionAnswer);

/** The labels by which the model names the scenes, in the screenplay's order; made from their content. */
export function sceneLabels(inputs: StepInputs): string[] {
  return contentLabels(inputs.screenplay.scenes.map(sceneContent));
}

/** What the model works on: the world guide's names, and every scene under its label. */
export function shotSelectionInput(inputs: StepInputs): Json {
  const guide = loadWorldGuide(inputs);
  const labels = sceneLabels(inputs);
  return {
    title: guide.title,
    language: guide.language,
    tone: guide.tone,
    characters: guide.characters.map(({ name, aliases }) => ({ name, aliases })),
    places: guide.places.map(({ name }) => name),
    props: guide.props.map(({ name }) => name),
    scenes: inputs.screenplay.scenes.map((scene, position) => ({ scene: labels[position]!, ...sceneContent(scene) })),
  };
}
