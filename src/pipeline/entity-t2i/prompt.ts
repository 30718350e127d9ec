import { z } from 'zod';
import type { Json } from '../../domain/json';
import { answerSchema } from '../answers/answer-schema';
import type { WorldGuide } from '../world-guide/schema';
import type { Entity } from './schema';

export const PROMPT_VERSION = 'entity_t2i/2';

export const INSTRUCTIONS = `You write the reference prompt of one entity of an episode (a character, a place or a prop) for an image model.
It is put in front of every picture that shows the entity, so it says only what is always true of it: looks, shape, material, bearing.
No time of day, no weather, no action, no camera, and nothing about other entities. A place is described empty. English, two or three sentences; names stay in their own script.
Answer only with JSON of the schema.`;

export const entityAnswer = z.object({ t2i_prompt: z.string().min(1).max(8000) });

export const ANSWER_SCHEMA = answerSchema(entityAnswer);

/** What the model works on: the entity and the look of the episode; nothing of other entities, so that one more leaves it alone. */
export function entityInput(entity: Entity, guide: WorldGuide, style: string): Json {
  const place = entity.kind === 'place' ? guide.places.find((one) => one.name === entity.name) : undefined;
  return {
    kind: entity.kind,
    name: entity.name,
    description: entity.description,
    ...(place ? { interior: place.interior } : {}),
    era: guide.era,
    style,
  };
}
