import { z } from 'zod';
import type { Json } from '../../domain/json';
import { answerSchema } from '../answers/answer-schema';
import type { StepInputs } from '../definition';
import { sceneContent } from '../scene-content';
import { interiorSchema } from './schema';

export const PROMPT_VERSION = 'world_guide/1';

export const INSTRUCTIONS = `You prepare the world guide of one episode for the storyboard department.
Read the whole screenplay, and the project's contexts, and answer with:
- setting, era, tone: one sentence each, in English; only what the text supports.
- palette: three to five colours for the whole episode, in English.
- characters: everyone who is seen, once each. "name" is the short name that dialogue uses, exactly as written in the screenplay, in its script; other forms of it go to "aliases". Voices that are only heard, narration, sounds and panel numbers are no characters. "description" is what a drawing needs: age, build, hair, clothes, bearing; invent nothing that the text contradicts.
- places: every place that headings name, "name" exactly as the scene's "place" has it, once each; for scenes without one, a short name of your own if the text shows where we are.
- props: objects that matter to the story and will be drawn, at most twenty.
Answer only with JSON of the schema.`;

export const worldGuideAnswer = z.object({
  setting: z.string(),
  era: z.string(),
  tone: z.string(),
  palette: z.array(z.string()),
  characters: z.array(z.object({ name: z.string(), aliases: z.array(z.string()), description: z.string() })),
  places: z.array(z.object({ name: z.string(), interior: interiorSchema, description: z.string() })),
  props: z.array(z.object({ name: z.string(), description: z.string() })),
});

export type WorldGuideAnswer = z.infer<typeof worldGuideAnswer>;

export const ANSWER_SCHEMA = answerSchema(worldGuideAnswer);

/** What the model works on: the whole screenplay, and the finished summaries of the project's contexts. */
export function worldGuideInput({ screenplay, contexts }: StepInputs): Json {
  return {
    title: screenplay.title,
    language: screenplay.language,
    contexts: [...contexts],
    scenes: screenplay.scenes.map(sceneContent),
  };
}
