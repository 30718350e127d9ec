import type { Json } from '../domain/json';
import type { StepCall } from '../pipeline/definition';
import type { BuyerParts } from './buyer-parts';
import { markUnusable } from './mark-unusable';
import type { RequestRow } from './read-request';
import { rideOut } from './ride-out';

/**
 * The results of a settled purchase; null where there are none any more, and the purchase now says so. A blob that is gone is
 * what verify calls artifact_missing, which reruns (spec 20): the next purchase of the request brings the item again. Under a
 * key that the provider honours that costs nothing; else there is no other way to have the picture that was asked for. The
 * lost one stays settled and counted. A disk that cannot be read proves nothing: that throws purchase.store_failed.
 */
export async function reuse(
  parts: BuyerParts,
  call: StepCall,
  purchase: RequestRow,
): Promise<Readonly<Record<string, Json>> | null> {
  const artifact = purchase.response_ref ?? '';
  const content = await parts.artifacts.get(artifact);
  const reading = content && (await call.read({ content, contentType: purchase.response_type ?? '', artifact }));
  if (reading?.ok) return reading.results;
  const why = reading
    ? `its answer cannot be read any more: ${reading.reason}`
    : `its artifact ${artifact} is gone or damaged`;
  parts.log.warn({ purchaseId: purchase.id, artifact }, `A settled purchase is not reused: ${why}`);
  await rideOut(parts, 'Writing that a purchase is unusable', () => markUnusable(parts.db, purchase.id, why));
  return null;
}
