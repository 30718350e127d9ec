import type { Tx } from '../db/pool';

/** The new purchase takes their place; each keeps its estimate as cost at risk (spec 40). The rows are locked by the caller. */
export async function closePurchases(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('purchase')
    .set({ status: 'closed' })
    .where('id', 'in', [...ids])
    .where('status', 'in', ['sent', 'in_doubt'])
    .execute();
}
