import { sha256 } from '../../hash';
import type { SceneElement } from './screenplay';

/** The text of a scene as one string: what its id is made from. */
export function sceneText(heading: string, elements: readonly SceneElement[]): string {
  const lines = elements.map((element) =>
    element.kind === 'dialogue'
      ? `${element.speaker} (${element.parenthetical ?? ''}): ${element.text}`
      : `${element.kind}: ${element.text}`,
  );
  return [heading, ...lines].join('\n');
}

/**
 * Gives ids from content, never from position (spec 00, "Words"): a scene inserted at the front leaves the others' ids alone. Scenes
 * with the same heading and text get `-2`, `-3` in their order.
 */
export function createSceneIds(): (heading: string, elements: readonly SceneElement[]) => string {
  const seen = new Map<string, number>();
  return (heading, elements) => {
    const id = `s${sha256(sceneText(heading, elements)).slice(0, 10)}`;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
}
