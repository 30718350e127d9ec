import type { PurchaseBody, PurchasesBody } from '../../bodies/purchases';
import { withDatabaseErrors } from '../../db/errors';
import type { Db } from '../../db/pool';
import type { Purchase } from '../../db/tables';
import { purchasesOf } from '../../purchases/purchases-of';
import type { EpisodeRef } from '../contract';
import { sumUsd } from './dollars';

export interface PurchaseFilter {
  readonly stepId?: string;
  /** Only those that a person is asked about: in doubt, or without an answer beyond their deadline. */
  readonly inDoubtOnly?: boolean;
}

const STATUSES = [
  'sent',
  'settled',
  'invalid',
  'refused',
  'failed',
  'in_doubt',
  'closed',
] as const satisfies readonly PurchaseBody['status'][];

/** An episode's purchases, oldest first; what those shown have cost for certain, and what is at risk (spec 40). Reads only. Throws db.unavailable. */
export async function readPurchases(
  db: Db,
  { projectId, episodeId }: EpisodeRef,
  filter: PurchaseFilter = {},
): Promise<PurchasesBody> {
  const rows = await withDatabaseErrors('Reading the purchases failed', () =>
    purchasesOf(db, projectId, episodeId, { stepId: filter.stepId, inDoubt: filter.inDoubtOnly }),
  );
  return {
    purchases: rows.map(purchaseOf),
    costUsd: sumUsd(rows.map((row) => Number(row.charged_usd))),
    atRiskUsd: sumUsd(rows.map((row) => Number(row.at_risk_usd))),
  };
}

/** One purchase as people and programs see it. */
export function purchaseOf(row: Purchase): PurchaseBody {
  return {
    id: row.id,
    stepId: row.step_id,
    itemId: row.item_id,
    provider: row.provider,
    model: row.model,
    requestHash: row.request_hash,
    // The table's own check admits no other word.
    status: STATUSES.find((status) => status === row.status) ?? 'in_doubt',
    runId: row.run_id,
    estimatedCostUsd: Number(row.estimated_cost_usd),
    costUsd: row.cost_usd === null ? null : Number(row.cost_usd),
    sentAt: row.sent_at,
    settledAt: row.settled_at,
    providerRequestId: row.provider_request_id,
    errorCode: row.error_code,
  };
}
