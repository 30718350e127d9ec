import { cancelUnfinished } from '../contexts/write-state';
import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';

/**
 * A deleted context whose stages are owed still: they become CANCELLED (spec 30 "A round", 3). The context's row is locked, so
 * that it is deleted now and not only when it was read. Answers whether a stage changed.
 */
export function endOrphan(db: Db, contextId: string): Promise<boolean> {
  return shortTransaction(db, 'Ending the work on a deleted context', async (tx) => {
    const deleted = await tx
      .selectFrom('core.context')
      .select('id')
      .where('id', '=', contextId)
      .where('deleted_at', 'is not', null)
      .forShare()
      .executeTakeFirst();
    return deleted ? cancelUnfinished(tx, contextId) : false;
  });
}
