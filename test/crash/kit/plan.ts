import type { Point } from './point';
import { placeOf, stratumOf } from './point';
import type { VariantName } from './variant';

/** One attempt of the kit: these kills, one after the other, in an episode of this variant. */
export interface Plan {
  readonly variant: VariantName;
  readonly kills: readonly string[];
  readonly stratum: string;
  /** The plans of one kill each that share this episode. */
  readonly parts?: readonly Plan[];
}

/** Where the purchases of the variants over HTTP are tried: many at once, of text and of pictures. The code is the same for all steps. */
const BUYING_STEPS = ['entity_t2i', 'scene_image_pipeline'];

export function planOf(variant: VariantName, points: readonly Point[]): readonly Plan[] {
  const chosen = variant === 'offline' ? points : points.filter(isOfPurchase);
  return chosen.map((point) => ({ variant, kills: [point.name], stratum: `${variant}: ${stratumOf(point)}` }));
}

function isOfPurchase({ kind, state }: Point): boolean {
  return (
    (kind === 'provider' || state.includes('purchase')) &&
    BUYING_STEPS.some((step) => state.includes(`runStep ${step}`))
  );
}

/** Kills of the recovery itself: at every place that only a worker after a kill comes to. */
export function planOfRecovery(
  variant: VariantName,
  first: Point,
  recovery: readonly Point[],
  known: readonly Point[],
): readonly Plan[] {
  const places = new Set(known.map(placeOf));
  return recovery
    .filter((point) => !places.has(placeOf(point)))
    .map((point) => ({ variant, kills: [first.name, point.name], stratum: `${variant}: recovery` }));
}
