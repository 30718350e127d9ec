import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';

/**
 * Keeps why a request failed. Only while that request is the newest of its context: the failure of an older one says nothing of
 * the content that replaced it. `updated_at` stays (spec 30): the row expires as if nothing had been said. A row that another
 * connection holds is waited for as any is, and never for ever: the round would hang with it. Answers whether it landed. Throws
 * db.unavailable, db.lock_timeout.
 */
export function recordFailure(db: Db, contextId: string, requestId: string, failure: string): Promise<boolean> {
  return shortTransaction(db, 'Keeping why a request failed', async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ai.context_ai_state')
      .set({ last_failure: failure })
      .where('context_id', '=', contextId)
      .where((row) => row.or([row('last_request_id', '=', requestId), row('last_request_id', 'is', null)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}
