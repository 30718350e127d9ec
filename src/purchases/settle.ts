import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import type { Usage } from '../providers/port';
import { cleanOptionalText } from './clean-text';
import { toNumeric } from './money';
import { lockRequest, type RequestRow } from './read-request';
import type { RequestKey } from './request-key';

/** A definite answer that was, or may have been, charged. */
export interface Settlement {
  readonly status: 'settled' | 'invalid' | 'refused';
  readonly costUsd: number;
  readonly usage: Usage | null;
  readonly providerRequestId?: string;
  /** The answer's content in the artifact store; null where there is none. */
  readonly artifact: string | null;
  readonly contentType: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

const MAY_BE_SETTLED = new Set(['sent', 'in_doubt', 'closed']);

/** A key that the provider honours is charged once, whichever of its purchases learns of it first. */
function costOf(row: RequestRow, rows: readonly RequestRow[], costUsd: number): number {
  const charged = rows.some(
    (other) => other.id !== row.id && other.idempotency_key === row.idempotency_key && Number(other.cost_usd ?? 0) > 0,
  );
  return row.key_honoured && charged ? 0 : costUsd;
}

async function settle(tx: Tx, key: RequestKey, id: string, bootId: string, settlement: Settlement): Promise<boolean> {
  const rows = await lockRequest(tx, key);
  const row = rows.find((one) => one.id === id);
  if (!row || row.owner_boot_id !== bootId) return false;
  // The answer of an earlier commit may have been lost: then it stands already.
  if (!MAY_BE_SETTLED.has(row.status)) return row.settled_at !== null && row.response_ref === settlement.artifact;
  // From in doubt and closed there is but one way, settled; what cannot be used is counted there, and not reused.
  const late = row.status !== 'sent';
  const unusable = late && settlement.status !== 'settled';
  await tx
    .updateTable('purchase')
    .set({
      status: late ? 'settled' : settlement.status,
      cost_usd: toNumeric(costOf(row, rows, settlement.costUsd)),
      usage: settlement.usage === null ? null : JSON.stringify(settlement.usage),
      provider_request_id: cleanOptionalText(settlement.providerRequestId),
      response_ref: settlement.artifact,
      response_type: cleanOptionalText(settlement.contentType),
      error_code: settlement.errorCode,
      error_message: cleanOptionalText(settlement.errorMessage),
      settled_at: sql<string>`callsheet_now()`,
      ...(unusable && {
        unusable_at: sql<string>`callsheet_now()`,
        unusable_reason: cleanOptionalText(settlement.errorMessage),
      }),
    })
    .where('id', '=', id)
    .execute();
  return true;
}

/**
 * Writes the definite answer of a call on the purchase's own id and state, by the process that sent it; the step may be
 * another's by now (spec 10 "The fence", its one exception; spec 40 "A late answer"). False: there is no such purchase of this process.
 * Throws db.unavailable and db.lock_timeout; calling again is safe.
 */
export function settlePurchase(
  db: Db,
  key: RequestKey,
  id: string,
  bootId: string,
  settlement: Settlement,
): Promise<boolean> {
  return shortTransaction(db, 'Settling a purchase', (tx) => settle(tx, key, id, bootId, settlement));
}
