import type { PurchaseBody } from '../bodies/purchases';
import { withDatabaseErrors } from '../db/errors';
import type { Db } from '../db/pool';
import { AppError } from '../domain/errors';
import { purchaseById } from '../purchases/purchases-of';
import { settleByHand, type HandSettlement } from '../purchases/settle-by-hand';
import type { EpisodeRef } from './contract';
import { purchaseOf } from './queries/purchases';

export type { HandSettlement };

/**
 * A person's word on a purchase in doubt (spec 40); audited. Where an episode is named, the purchase must be one of its own.
 * Throws purchase.unknown, purchase.not_in_doubt, db.*.
 */
export async function settlePurchase(
  db: Db,
  input: {
    readonly purchaseId: string;
    readonly decision: HandSettlement;
    readonly by: string;
    readonly episode?: EpisodeRef;
  },
): Promise<{ readonly purchase: PurchaseBody; readonly changed: boolean }> {
  if (input.episode) await requireOwn(db, input.purchaseId, input.episode);
  const { purchase, changed } = await settleByHand(db, input.purchaseId, input.decision, input.by);
  return { purchase: purchaseOf(purchase), changed };
}

async function requireOwn(db: Db, purchaseId: string, { projectId, episodeId }: EpisodeRef): Promise<void> {
  const found = await withDatabaseErrors('Looking for the purchase', () => purchaseById(db, purchaseId));
  if (found?.project_id !== projectId || found.episode_id !== episodeId)
    throw new AppError(
      'purchase.unknown',
      `Episode ${JSON.stringify(episodeId.slice(0, 80))} has no purchase ${JSON.stringify(purchaseId.slice(0, 80))}.`,
    );
}
