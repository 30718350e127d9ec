import { sql } from 'kysely';
import type { Db } from '../db/pool';
import { cleanText } from './clean-text';

/**
 * `sent` → `in_doubt`: it may have been paid, and nobody waits for the answer any more (spec 40). On id and state, so a
 * settle that came in between stands. Where the proof is the clock, the statement asks the clock again. True: it landed.
 */
export async function markInDoubt(db: Db, id: string, why: string, proof: 'sender' | 'clock'): Promise<boolean> {
  const late =
    proof === 'clock' ? sql<boolean>`deadline_at COLLATE "C" < callsheet_now() COLLATE "C"` : sql<boolean>`true`;
  const result = await db
    .updateTable('purchase')
    .set({ status: 'in_doubt', error_code: 'purchase.in_doubt', error_message: cleanText(why) })
    .where('id', '=', id)
    .where('status', '=', 'sent')
    .where(late)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
