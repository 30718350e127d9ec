import type { SceneDetail } from '../../pipeline/scene-detail/schema';
import { buildPositionMap } from '../../pipeline/t2i-review/positions';
import type { T2iReview } from '../../pipeline/t2i-review/schema';

/** Why the last review changed a shot's prompt, by shot id; several reasons of one shot in order. */
export function correctionsByShot(detail: SceneDetail | null, review: T2iReview | null): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  if (!detail || !review) return reasons;
  const positions = buildPositionMap({ entities: [], scenes: detail.scenes });
  for (const { item_id, reason } of review.corrections) {
    const position = positions.get(item_id);
    if (position?.step !== 'scene_detail') continue;
    const shot = detail.scenes[position.scene]?.t2i_variations[position.variation]?.shot_id;
    if (shot === undefined) continue;
    const before = reasons.get(shot);
    reasons.set(shot, before === undefined ? reason : `${before} ${reason}`);
  }
  return reasons;
}
