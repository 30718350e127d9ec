import { randomUUID } from 'node:crypto';
import { AppError } from '../domain/errors';
import type { SafePoint, Stop } from '../domain/stop';
import type { Held } from '../ledger/held';
import type { StepCall } from '../pipeline/definition';
import type { Provider } from '../providers/port';
import type { BuyerParts } from './buyer-parts';
import { callProvider } from './call-provider';
import type { BuyRules } from './judge';
import { keepReply, keepUnclear, type Kept, type Sent } from './keep-reply';
import type { Slot } from './limits';
import { markFailed } from './mark-failed';
import { isMoney } from './money';
import { openPurchase, type Opened } from './open-purchase';
import type { Exhausted } from './reserve-budget';
import type { RequestKey } from './request-key';
import { rideOut } from './ride-out';

export interface Asking {
  readonly held: Held;
  readonly key: RequestKey;
  readonly call: StepCall;
  readonly provider: Provider;
  readonly rules: BuyRules;
  readonly safePoint: SafePoint;
}

/** What came of one try to send. */
export type SendEnd =
  | { readonly end: 'kept'; readonly kept: Kept; readonly purchaseId: string }
  | { readonly end: 'look' }
  /** Nothing left the process: the database was too slow, or its answer was lost. */
  | { readonly end: 'not_sent'; readonly message: string }
  | { readonly end: 'stopped'; readonly stop: Stop }
  | { readonly end: 'exhausted'; readonly exhausted: Exhausted; readonly estimateUsd: number }
  | { readonly end: 'paused'; readonly resumeAfterMs: number };

function estimate(asking: Asking): number {
  const usd = asking.provider.estimateUsd(asking.call.request);
  if (isMoney(usd)) return usd;
  throw new AppError('internal.unexpected', `Provider ${asking.provider.name} estimates ${usd} US dollars.`);
}

/** Puts in words why a purchase that stands, or may stand, as `sent` was never sent: certainly not charged. */
async function notSent(parts: BuyerParts, purchaseId: string, message: string): Promise<SendEnd> {
  const { db, identity } = parts;
  await rideOut(parts, `Writing that purchase ${purchaseId} was not sent`, () =>
    markFailed(db, purchaseId, identity.bootId, 'db.unavailable', message),
  );
  return { end: 'not_sent', message };
}

/** An answer that comes after nobody waited for it any more is settled on its purchase all the same (spec 40 "A late answer"). */
function keepLate(parts: BuyerParts, sent: Sent, late: Promise<Parameters<typeof keepReply>[2]>): void {
  late
    .then((reply) => (reply.outcome === 'in_doubt' ? undefined : keepReply(parts, sent, reply)))
    .catch((error: unknown) =>
      parts.log.error({ err: error, purchaseId: sent.purchaseId }, 'A late answer could not be kept'),
    );
}

async function deliverCall(
  parts: BuyerParts,
  asking: Asking,
  sent: Sent,
  opened: Extract<Opened, { opened: 'sent' }>,
): Promise<SendEnd> {
  const { request, items } = asking.call;
  const label = { stepId: asking.key.stepId, itemId: items.join(',') };
  const options = { idempotencyKey: opened.idempotencyKey, ask: opened.ask, label };
  const deadlineMs = parts.callDeadlineSeconds[request.kind] * 1000;
  const calling = callProvider(asking.provider, request, options, deadlineMs, parts.graceOver);
  parts.onSent?.();
  const called = await calling;
  const { purchaseId } = sent;
  if (called.called === 'replied') return { end: 'kept', kept: await keepReply(parts, sent, called.reply), purchaseId };
  await keepUnclear(parts, sent, called.why);
  keepLate(parts, sent, called.late);
  if (parts.graceOver?.aborted) return { end: 'stopped', stop: { why: 'handed_back', cause: 'shutdown, grace over' } };
  return { end: 'kept', kept: { kept: 'unclear', message: called.why }, purchaseId };
}

/** One is exact and stands still while the machine sleeps; the other does not, and may be exact to a second only. */
function readClocks(parts: BuyerParts): readonly [number, number] {
  const exactMs = parts.monotonicMs();
  return [exactMs, parts.sinceBootMs?.() ?? exactMs];
}

function longerOf(from: readonly [number, number], to: readonly [number, number]): number {
  return Math.max(to[0] - from[0], to[1] - from[1]);
}

async function openAndSend(parts: BuyerParts, asking: Asking, purchaseId: string, slot: Slot): Promise<SendEnd> {
  const { call, key, provider, held, rules } = asking;
  const estimateUsd = estimate(asking);
  const began = readClocks(parts);
  const deadlineMs = parts.callDeadlineSeconds[call.request.kind] * 1000;
  const purchase = {
    id: purchaseId,
    key,
    itemId: call.items.join(','),
    provider: provider.name,
    model: call.request.model,
    estimateUsd,
    keyHonoured: provider.honoursIdempotencyKey,
    answerWithinMs: parts.sendWindowMs + deadlineMs,
  };
  let opened: Opened;
  try {
    opened = await openPurchase({ db: parts.db, identity: parts.identity, eyes: parts.eyes, rules, held, purchase });
  } catch (error) {
    if (!(error instanceof AppError && (error.code === 'db.unavailable' || error.code === 'db.lock_timeout')))
      throw error;
    return notSent(parts, purchaseId, error.message);
  }
  if (opened.opened === 'look') return { end: 'look' };
  if (opened.opened === 'stopped') return { end: 'stopped', stop: opened.stop };
  if (opened.opened === 'exhausted') return { end: 'exhausted', exhausted: opened.exhausted, estimateUsd };
  // Counted from before the transaction, so never later than the database's own `sent_at` (spec 40: the send window).
  const tookMs = longerOf(began, readClocks(parts));
  if (tookMs > parts.sendWindowMs)
    return notSent(parts, purchaseId, `Opening the purchase took ${Math.round(tookMs)} ms: not sent.`);
  slot.keep();
  return deliverCall(parts, asking, { purchaseId, key, call, provider, estimateUsd }, opened);
}

/**
 * Waits for a place, opens the purchase, sends the request and writes what came of it. The call is known as held before its
 * row can be seen, and until what came of it is written: no sibling may take it for one that nobody waits for.
 */
export async function sendRequest(parts: BuyerParts, asking: Asking): Promise<SendEnd> {
  const entry = await parts.limits.enter(asking.provider, asking.safePoint);
  if (entry.entry === 'stopped') return { end: 'stopped', stop: entry.stop };
  if (entry.entry === 'paused') return { end: 'paused', resumeAfterMs: entry.resumeAfterMs };
  const purchaseId = randomUUID();
  const { stepId } = asking.key;
  parts.calls.add({ purchaseId, stepId, itemId: asking.call.items.join(','), sinceMs: parts.monotonicMs() });
  try {
    return await openAndSend(parts, asking, purchaseId, entry.slot);
  } finally {
    parts.calls.remove(purchaseId);
    entry.slot.leave();
  }
}
