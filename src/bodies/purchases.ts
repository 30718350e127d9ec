import { z } from 'zod';
import { dollars, dollarsAtRisk, timeText } from './amounts';

/** One paid call, or one that may have been (spec 40 "Purchases", spec 50). */
export const purchaseBody = z.strictObject({
  id: z.string(),
  stepId: z.string(),
  itemId: z.string(),
  provider: z.string(),
  model: z.string(),
  requestHash: z.string(),
  status: z.enum(['sent', 'settled', 'invalid', 'refused', 'failed', 'in_doubt', 'closed']),
  runId: z.string(),
  estimatedCostUsd: dollars,
  /** null until it is known what the call cost. */
  costUsd: dollars.nullable(),
  sentAt: timeText,
  settledAt: timeText.nullable(),
  /** The vendor's own name of the call, where it gave one. */
  providerRequestId: z.string().nullable(),
  errorCode: z.string().nullable(),
});

/** `purchases` and `GET …/purchases`; the sums are of the purchases that are shown. */
export const purchasesBody = z.strictObject({
  purchases: z.array(purchaseBody),
  costUsd: dollars,
  atRiskUsd: dollarsAtRisk,
});

export type PurchaseBody = z.infer<typeof purchaseBody>;
export type PurchasesBody = z.infer<typeof purchasesBody>;
