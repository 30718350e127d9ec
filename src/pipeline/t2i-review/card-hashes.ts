import { AppError } from '../../domain/errors';
import type { Json } from '../../domain/json';
import { describePosition, type Position } from './positions';
import { entryAt, listOf, type VictimBodies } from './victims';

/** Every `render_prompt_card_hash`, by position (`scene.variation`), captured before anything changes (spec 20, "Editor steps", 1). */
export type CardHashes = ReadonlyMap<string, Json>;

export function cardHashes(bodies: VictimBodies): CardHashes {
  const hashes = new Map<string, Json>();
  listOf(bodies.scene_detail, 'scenes').forEach((entry, scene) =>
    listOf(entry, 't2i_variations').forEach((_one, variation) => {
      const position = { step: 'scene_detail', scene, variation } as const;
      hashes.set(keyOf(position), entryAt(bodies, position)?.['render_prompt_card_hash'] ?? null);
    }),
  );
  return hashes;
}

/** Card hashes at the changed positions must be what they were. Throws t2i_review.card_hash_unexpected_change, naming the position. */
export function checkCardHashes(before: CardHashes, bodies: VictimBodies, changed: readonly Position[]): void {
  const after = cardHashes(bodies);
  for (const position of changed) {
    if (position.step !== 'scene_detail') continue;
    if (before.get(keyOf(position)) !== after.get(keyOf(position)))
      throw new AppError(
        't2i_review.card_hash_unexpected_change',
        `The edit changed render_prompt_card_hash at ${describePosition(position)}.`,
      );
  }
}

function keyOf({ scene, variation }: { scene: number; variation: number }): string {
  return `${scene}.${variation}`;
}
