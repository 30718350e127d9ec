import type { Json } from '../domain/json';
import type { Scene, SceneElement } from './screenplay/screenplay';

/** A scene as requests show it: by content, with no number, index or id (spec 00, "Words"). */
export function sceneContent(scene: Scene): { readonly [key: string]: Json } {
  return {
    heading: scene.heading,
    place: scene.place,
    interior: scene.interior,
    time_of_day: scene.timeOfDay,
    text: scene.elements.filter((element) => element.kind !== 'transition').map(line),
  };
}

function line(element: SceneElement): Json {
  if (element.kind !== 'dialogue') return { action: element.text };
  return {
    speaker: element.speaker,
    says: element.text,
    ...(element.parenthetical ? { how: element.parenthetical } : {}),
  };
}
