import type { SceneDetail } from '../../pipeline/scene-detail/schema';
import { buildPositionMap } from '../../pipeline/t2i-review/positions';
import { MUTATION_ORIGIN } from '../../pipeline/t2i-review/refresh-sentinels';
import type { Correction, T2iReview } from '../../pipeline/t2i-review/schema';

/**
 * Why the last review changed a shot's prompt, by shot id; several reasons of one shot in order. Only of prompts that are still
 * as the review left them: ids stand for positions, and what stands there may have been made anew or restored since.
 */
export function correctionsByShot(detail: SceneDetail | null, review: T2iReview | null): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  if (!detail || !review) return reasons;
  const positions = buildPositionMap({ entities: [], scenes: detail.scenes });
  for (const [itemId, corrections] of byItem(review.corrections)) {
    const position = positions.get(itemId);
    if (position?.step !== 'scene_detail') continue;
    const variation = detail.scenes[position.scene]?.t2i_variations[position.variation];
    if (variation?.owned_validation._mutation_origin !== MUTATION_ORIGIN) continue;
    // Corrections of one id apply in order: the last one's prompt is the one that it left.
    if (corrections.at(-1)!.t2i_prompt !== variation.t2i_prompt) continue;
    reasons.set(variation.shot_id, corrections.map(({ reason }) => reason).join(' '));
  }
  return reasons;
}

function byItem(corrections: readonly Correction[]): ReadonlyMap<string, readonly Correction[]> {
  const items = new Map<string, Correction[]>();
  for (const correction of corrections)
    items.set(correction.item_id, [...(items.get(correction.item_id) ?? []), correction]);
  return items;
}
