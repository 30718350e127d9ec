import type { PurchaseBody } from '../bodies/purchases';
import type { Db } from '../db/pool';
import { settleByHand, type HandSettlement } from '../purchases/settle-by-hand';
import { purchaseOf } from './queries/purchases';

export type { HandSettlement };

/** A person's word on a purchase in doubt (spec 40); audited. Throws purchase.unknown, purchase.not_in_doubt, db.*. */
export async function settlePurchase(
  db: Db,
  input: { readonly purchaseId: string; readonly decision: HandSettlement; readonly by: string },
): Promise<{ readonly purchase: PurchaseBody; readonly changed: boolean }> {
  const { purchase, changed } = await settleByHand(db, input.purchaseId, input.decision, input.by);
  return { purchase: purchaseOf(purchase), changed };
}
