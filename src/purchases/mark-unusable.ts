import { sql } from 'kysely';
import type { Db } from '../db/pool';
import { cleanText } from './clean-text';

/** A settled answer that cannot be used any more stays settled and counted, and is not reused (spec 40). */
export async function markUnusable(db: Db, id: string, reason: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({ unusable_at: sql<string>`callsheet_now()`, unusable_reason: cleanText(reason) })
    .where('id', '=', id)
    .where('status', '=', 'settled')
    .where('unusable_at', 'is', null)
    .execute();
}
