import type { Json } from '../../domain/json';
import type { EntityT2i } from '../entity-t2i/schema';
import { entityPrompt, type PlaceAndTime } from '../place-scenes';
import type { WorldGuide } from '../world-guide/schema';

export const PROMPT_VERSION = 'background_render/1';

/** The card and prompt of a place at a time of day: empty, in its light. */
export function backgroundPicture(
  { place, timeOfDay, mood }: PlaceAndTime,
  guide: WorldGuide,
  entities: EntityT2i,
  style: string,
): { card: Json; prompt: string } {
  const prompt = [
    `Background plate without people: ${place.interior === 'INT' ? 'inside' : 'outside,'} ${place.name}${timeOfDay === '' ? '' : `, ${timeOfDay}`}.`,
    entityPrompt(entities, 'place', place.name),
    mood === '' ? '' : `Mood: ${mood}.`,
    guide.palette.length > 0 ? `Palette: ${guide.palette.join(', ')}.` : '',
    `Style: ${style}.`,
  ];
  return {
    card: {
      place: place.name,
      interior: place.interior,
      time_of_day: timeOfDay,
      description: place.description,
      mood,
      palette: [...guide.palette],
    },
    prompt: prompt.filter(Boolean).join(' '),
  };
}
