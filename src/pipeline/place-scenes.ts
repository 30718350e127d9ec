import { sha256 } from '../hash';
import { foldName } from './content-labels';
import type { EntityT2i } from './entity-t2i/schema';
import type { SelectedScene, ShotSelection } from './shot-selection/schema';
import type { WorldGuide } from './world-guide/schema';

export type Place = WorldGuide['places'][number];

/** A place at a time of day, with the mood of one of its scenes. */
export interface PlaceAndTime {
  readonly itemId: string;
  readonly place: Place;
  readonly timeOfDay: string;
  readonly mood: string;
}

export function planItemId(place: string): string {
  return `plan-${sha256(foldName(place)).slice(0, 12)}`;
}

export function backgroundItemId(place: string, timeOfDay: string): string {
  return `bg-${sha256(`${foldName(place)}\n${timeOfDay}`).slice(0, 12)}`;
}

/** The places of the world guide that a scene is at, in the guide's order: only those are drawn. */
export function placesInUse(guide: WorldGuide, selection: ShotSelection): Place[] {
  const used = new Set(
    selection.scenes.filter((scene) => scene.shots.length > 0).map((scene) => foldName(scene.place)),
  );
  return guide.places.filter((place) => used.has(foldName(place.name)));
}

/** Each place and time of day that the selection has, in story order; shots that are off count, since a person may switch them on. */
export function placesAndTimes(guide: WorldGuide, selection: ShotSelection): PlaceAndTime[] {
  const found = new Map<string, PlaceAndTime & { readonly sceneId: string }>();
  for (const scene of selection.scenes) {
    const place = scene.shots.length > 0 ? placeOf(guide, scene) : undefined;
    if (!place) continue;
    const itemId = backgroundItemId(place.name, scene.time_of_day);
    const before = found.get(itemId);
    // The mood is one scene's: chosen by its id, which is content, since the first scene would change with every one put before it.
    const mood = before && before.sceneId < scene.scene_id ? before : { mood: scene.mood, sceneId: scene.scene_id };
    found.set(itemId, { itemId, place, timeOfDay: scene.time_of_day, mood: mood.mood, sceneId: mood.sceneId });
  }
  return [...found.values()].map(({ sceneId: _sceneId, ...wanted }) => wanted);
}

export function placeOf(guide: WorldGuide, scene: SelectedScene): Place | undefined {
  return guide.places.find((place) => foldName(place.name) === foldName(scene.place));
}

/** The reference prompt of an entity, as the editor left it; '' where it has none. */
export function entityPrompt(entities: EntityT2i, kind: string, name: string): string {
  return (
    entities.entities.find((entity) => entity.kind === kind && foldName(entity.name) === foldName(name))?.t2i_prompt ??
    ''
  );
}
