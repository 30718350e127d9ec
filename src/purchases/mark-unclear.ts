import type { Db } from '../db/pool';
import { cleanOptionalText, cleanText } from './clean-text';

/**
 * A call of this process that may have left ended without a definite answer: `sent` → `in_doubt`; under a key that the
 * provider honours → `closed`, since the next send under that key is charged with it or not at all (spec 40).
 */
export async function markUnclear(
  db: Db,
  id: string,
  bootId: string,
  unclear: { readonly keyHonoured: boolean; readonly message: string; readonly providerRequestId?: string },
): Promise<void> {
  await db
    .updateTable('purchase')
    .set({
      status: unclear.keyHonoured ? 'closed' : 'in_doubt',
      error_code: 'purchase.in_doubt',
      error_message: cleanText(unclear.message),
      provider_request_id: cleanOptionalText(unclear.providerRequestId),
    })
    .where('id', '=', id)
    .where('owner_boot_id', '=', bootId)
    .where('status', '=', 'sent')
    .execute();
}
