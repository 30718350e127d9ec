import { AppError } from '../../domain/errors';
import { describePosition, type Position, type PositionMap } from './positions';
import type { Correction } from './schema';
import { entryAt, replaceEntry, type VictimBodies } from './victims';

export interface Applied {
  readonly bodies: VictimBodies;
  /** Exactly the positions whose prompt is another one than before, in the order in which corrections first named them. */
  readonly changed: readonly Position[];
}

/**
 * Writes corrections into the victims' bodies (spec 20, "Editor steps", 2). Those of one id apply in order. Where nothing changes the very
 * same bodies come back, so that the bytes are the same. Pure. Throws t2i_review.unknown_item_id for an id that is not in the map, and
 * t2i_review.sentinel_refresh_failed where the position is not in the bodies.
 */
export function applyCorrections(bodies: VictimBodies, corrections: readonly Correction[], map: PositionMap): Applied {
  let current = bodies;
  const touched = new Map<string, Position>();
  for (const { item_id: itemId, t2i_prompt: prompt } of corrections) {
    const position = map.get(itemId);
    if (!position)
      throw new AppError(
        't2i_review.unknown_item_id',
        `The review names ${JSON.stringify(itemId)}, which is no prompt that it was shown.`,
      );
    const entry = entryAt(current, position);
    if (!entry)
      throw new AppError(
        't2i_review.sentinel_refresh_failed',
        `There is no ${describePosition(position)} (t2i_review.unknown_item_id).`,
      );
    touched.set(itemId, position);
    if (entry['t2i_prompt'] !== prompt) current = replaceEntry(current, position, { ...entry, t2i_prompt: prompt });
  }
  const changed = [...touched.values()].filter(
    (position) => entryAt(current, position)!['t2i_prompt'] !== entryAt(bodies, position)!['t2i_prompt'],
  );
  return changed.length === 0 ? { bodies, changed } : { bodies: current, changed };
}
