import type { Json } from '../../domain/json';
import { foldName } from '../content-labels';
import type { EntityT2i } from '../entity-t2i/schema';
import { entityPrompt, type Place } from '../place-scenes';
import type { ShotSelection } from '../shot-selection/schema';

export const PROMPT_VERSION = 'floor_plan_render/1';

/** The card and prompt of a place's plan: seen from above, no people, no time of day. */
export function floorPlanPicture(
  place: Place,
  selection: ShotSelection,
  entities: EntityT2i,
  style: string,
): { card: Json; prompt: string } {
  const shots = selection.scenes
    .filter((scene) => foldName(scene.place) === foldName(place.name))
    .flatMap((scene) => scene.shots);
  const props = [...new Set(shots.flatMap((shot) => shot.props))].sort();
  const looks = entityPrompt(entities, 'place', place.name);
  const inside = place.interior === 'INT' ? 'Floor plan' : 'Site plan';
  const prompt = [
    `${inside} of ${place.name}, seen straight from above, to scale, walls, openings and furniture as simple outlines, no people.`,
    looks,
    props.length > 0 ? `Marked: ${props.join(', ')}.` : '',
    `Style: ${style}, clean line drawing.`,
  ];
  return {
    card: { place: place.name, interior: place.interior, description: place.description, props },
    prompt: prompt.filter(Boolean).join(' '),
  };
}
