import type { Json } from '../domain/json';
import type { StepCall } from '../pipeline/definition';
import type { Provider, ProviderReply } from '../providers/port';
import type { BuyerParts } from './buyer-parts';
import { asError, deliver, settleRefusal } from './deliver';
import { markFailed } from './mark-failed';
import { markUnclear } from './mark-unclear';
import type { RequestKey } from './request-key';
import { rideOut } from './ride-out';
import { settlePurchase, type Settlement } from './settle';

/** A request of this process that has left. */
export interface Sent {
  readonly purchaseId: string;
  readonly key: RequestKey;
  readonly call: StepCall;
  readonly provider: Provider;
  readonly estimateUsd: number;
}

/** What a reply means to the one who asked, once it is written. */
export type Kept =
  | { readonly kept: 'results'; readonly results: Readonly<Record<string, Json>> }
  /** Look again: the purchase says what to do. */
  | { readonly kept: 'look' }
  | {
      readonly kept: 'not_charged';
      readonly code: string;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kept: 'rejected'; readonly message: string }
  | { readonly kept: 'account'; readonly message: string }
  | { readonly kept: 'unclear'; readonly message: string };

/** Repeated for as long as the process lives: what was paid must be kept (cases C29). */
function persist<T>(parts: BuyerParts, sent: Sent, write: () => Promise<T>): Promise<T> {
  return rideOut(parts, `Writing what came of purchase ${sent.purchaseId}`, write);
}

async function settle(parts: BuyerParts, sent: Sent, settlement: Settlement): Promise<void> {
  const landed = await persist(parts, sent, () =>
    settlePurchase(parts.db, sent.key, sent.purchaseId, parts.identity.bootId, settlement),
  );
  if (!landed)
    parts.log.error({ purchaseId: sent.purchaseId, settlement }, 'A paid answer found no purchase to settle');
}

async function keepAnswer(
  parts: BuyerParts,
  sent: Sent,
  answer: Extract<ProviderReply, { outcome: 'answer' }>,
): Promise<Kept> {
  const delivered = await deliver(parts.artifacts, { ...sent, stepId: sent.key.stepId }, answer);
  await settle(parts, sent, delivered.settlement);
  switch (delivered.delivered) {
    case 'results':
      return { kept: 'results', results: delivered.results };
    case 'invalid':
      parts.log.warn(
        { purchaseId: sent.purchaseId, reason: delivered.settlement.errorMessage },
        'An answer cannot be used',
      );
      return { kept: 'look' };
    case 'reader_failed':
    case 'not_stored':
      throw asError(delivered.error);
  }
}

/** Writes a definite or indefinite reply on its purchase, whoever holds the step by now. Throws purchase.store_failed after the settle. */
export async function keepReply(parts: BuyerParts, sent: Sent, reply: ProviderReply): Promise<Kept> {
  const { db, identity } = parts;
  const failed = (code: string, message: string): Promise<void> =>
    persist(parts, sent, () => markFailed(db, sent.purchaseId, identity.bootId, code, message));
  switch (reply.outcome) {
    case 'answer':
      return keepAnswer(parts, sent, reply);
    case 'refused':
      await settle(parts, sent, settleRefusal(reply));
      return { kept: 'look' };
    case 'not_charged':
      await failed(reply.code, reply.message);
      return { kept: 'not_charged', code: reply.code, message: reply.message, retryAfterMs: reply.retryAfterMs };
    case 'rejected':
      await failed('provider.rejected', reply.message);
      return { kept: 'rejected', message: reply.message };
    case 'account':
      await failed('provider.account', reply.message);
      return { kept: 'account', message: reply.message };
    case 'in_doubt':
      await keepUnclear(parts, sent, reply.message, reply.providerRequestId);
      return { kept: 'unclear', message: reply.message };
  }
}

/** No definite answer: in doubt, or closed under a key that is charged once. */
export async function keepUnclear(
  parts: BuyerParts,
  sent: Sent,
  message: string,
  providerRequestId?: string,
): Promise<void> {
  const unclear = {
    keyHonoured: sent.provider.honoursIdempotencyKey,
    message,
    ...(providerRequestId !== undefined && { providerRequestId }),
  };
  await persist(parts, sent, () => markUnclear(parts.db, sent.purchaseId, parts.identity.bootId, unclear));
  parts.log.warn({ purchaseId: sent.purchaseId, reason: message }, 'A call ended without a definite answer');
}
