import { sql } from 'kysely';
import type { Db } from '../db/pool';
import { cleanText } from './clean-text';

/**
 * Certainly not charged (spec 40): `sent` → `failed`. If somebody else has put the purchase in doubt or closed it meanwhile,
 * it stays so, but its cost is known now to be nothing, so it is no risk any more. By the process that sent it only.
 */
export async function markFailed(db: Db, id: string, bootId: string, code: string, message: string): Promise<void> {
  await db
    .updateTable('purchase')
    .set({
      status: sql<string>`CASE WHEN status = 'sent' THEN 'failed' ELSE status END`,
      cost_usd: '0',
      error_code: cleanText(code),
      error_message: cleanText(message),
      settled_at: sql<string>`callsheet_now()`,
    })
    .where('id', '=', id)
    .where('owner_boot_id', '=', bootId)
    .where('status', 'in', ['sent', 'in_doubt', 'closed'])
    .execute();
}
