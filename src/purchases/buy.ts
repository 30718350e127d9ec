import { AppError } from '../domain/errors';
import type { StepCall } from '../pipeline/definition';
import { backOffMs, LONGEST_ADVISED_MS } from './back-off';
import type { BuyerParts } from './buyer-parts';
import { judge, type BuyRules } from './judge';
import { markInDoubt } from './mark-in-doubt';
import { doubtMessage, exhaustedMessage } from './messages';
import type { BuyContext, BuyOutcome } from './outcome';
import { readRequest, type RequestRow } from './read-request';
import { requestHashOf, type RequestKey } from './request-key';
import { reuse } from './reuse';
import { rideOut } from './ride-out';
import { sendRequest, type Asking, type SendEnd } from './send-request';
import { POLL_MS, waitFor } from './wait';

/** Calls that were certainly not charged, or are charged once under their key, are tried so often. */
const MAX_TRIES = 5;
/** A call that may have been charged is sent again once in one buy; then the step ends partial, and the next run asks again (cases C06). */
const MAX_DOUBTS = 2;
/** About so many seconds a look rides out an outage of the database. */
const LOOK_TRIES = 120;

interface Buying {
  readonly parts: BuyerParts;
  readonly context: BuyContext;
  readonly asking: Asking;
  /** Certainly not charged so far, or charged once under their key. */
  tries: number;
  doubts: number;
}

/**
 * Buys one call (spec 40 "Purchases"), as the model's attemptStep does: look → sent → send → answer, and back to the look
 * after everything that is no answer. Undefined from a part of it means: look again.
 */
export async function buyCall(parts: BuyerParts, context: BuyContext, call: StepCall): Promise<BuyOutcome> {
  const buying = begin(parts, context, call);
  for (;;) {
    const stop = await context.safePoint();
    if (stop) return { outcome: 'stopped', stop };
    const outcome = await look(buying);
    if (outcome) return outcome;
  }
}

function begin(parts: BuyerParts, context: BuyContext, call: StepCall): Buying {
  const { held, config, generation } = context;
  const requestHash = requestHashOf(call.request);
  const key: RequestKey = {
    projectId: held.projectId,
    episodeId: held.episodeId,
    stepId: held.stepId,
    requestHash,
    generation,
  };
  const rules: BuyRules = {
    runId: held.runId,
    workflowRunId: held.workflowRunId,
    inDoubt: call.request.kind === 'text' ? config['inDoubt.text'] : config['inDoubt.image'],
    maxInvalidAnswers: parts.maxInvalidAnswers,
  };
  const provider = parts.providerFor(call.request.provider, config);
  const asking = { held, key, call, provider, rules, safePoint: context.safePoint };
  return { parts, context, asking, tries: 0, doubts: 0 };
}

async function look(buying: Buying): Promise<BuyOutcome | undefined> {
  const { parts, context, asking } = buying;
  const rows = await rideOut(
    parts,
    'Looking for earlier purchases',
    () => readRequest(parts.db, asking.key),
    LOOK_TRIES,
  );
  const next = judge(rows, parts.eyes, asking.rules);
  switch (next.next) {
    case 'reuse': {
      const results = await reuse(parts, asking.call, next.purchase);
      return results ? brought(buying, 'reused', next.purchase.id, results) : undefined;
    }
    case 'fail':
      return { outcome: 'item_failed', code: next.code, message: next.message };
    case 'ask':
      return { outcome: 'in_doubt', purchaseId: next.purchase.id, message: doubtMessage(next.purchase) };
    case 'doubt':
      await doubt(buying, next.purchase, next.why);
      return undefined;
    case 'wait': {
      const stop = await waitFor(parts, context.safePoint, POLL_MS);
      return stop ? { outcome: 'stopped', stop } : undefined;
    }
    case 'send':
      if (buying.doubts >= MAX_DOUBTS) return doubtsUsedUp(rows);
      return afterSend(buying, await sendRequest(parts, asking));
  }
}

async function doubt({ parts, asking }: Buying, purchase: RequestRow, why: string): Promise<void> {
  const proof = purchase.expired ? 'clock' : 'sender';
  const write = (): Promise<boolean> => markInDoubt(parts.db, purchase.id, why, proof);
  if (await rideOut(parts, 'Writing that a purchase is in doubt', write, LOOK_TRIES))
    parts.log.warn({ purchaseId: purchase.id, stepId: asking.key.stepId, why }, 'A purchase is in doubt');
}

function doubtsUsedUp(rows: readonly RequestRow[]): BuyOutcome {
  const last = rows.filter((row) => row.status === 'in_doubt').at(-1);
  if (!last) throw new AppError('internal.unexpected', 'A call was in doubt twice, and no purchase says so.');
  return { outcome: 'in_doubt', purchaseId: last.id, message: doubtMessage(last) };
}

async function afterSend(buying: Buying, sent: SendEnd): Promise<BuyOutcome | undefined> {
  switch (sent.end) {
    case 'look':
      return undefined;
    case 'stopped':
      return { outcome: 'stopped', stop: sent.stop };
    case 'exhausted': {
      const { cap, committedUsd } = sent.exhausted;
      const { estimateUsd } = sent;
      return { outcome: 'budget', message: exhaustedMessage(sent), capUsd: cap.capUsd, committedUsd, estimateUsd };
    }
    case 'paused':
      return rateLimited(buying, sent.resumeAfterMs);
    case 'not_sent':
      buying.tries += 1;
      if (buying.tries >= MAX_TRIES) throw new AppError('db.unavailable', sent.message);
      return undefined;
    case 'kept':
      return afterReply(buying, sent);
  }
}

async function afterReply(
  buying: Buying,
  { kept, purchaseId }: Extract<SendEnd, { end: 'kept' }>,
): Promise<BuyOutcome | undefined> {
  switch (kept.kept) {
    case 'look':
      return undefined;
    case 'rejected':
      return { outcome: 'item_failed', code: 'provider.rejected', message: kept.message };
    case 'account':
      return { outcome: 'account', message: kept.message };
    case 'results': {
      // Settled for whoever holds the step now; the one who lost it writes nothing more (spec 40 "A late answer").
      const stop = await buying.context.safePoint();
      if (stop?.why === 'ownership_lost') return { outcome: 'stopped', stop };
      return brought(buying, 'bought', purchaseId, kept.results);
    }
    case 'unclear':
      if (!buying.asking.provider.honoursIdempotencyKey) {
        buying.doubts += 1;
        return undefined;
      }
      return tryAgain(buying, 'provider.unavailable', kept.message, undefined);
    case 'not_charged':
      return tryAgain(buying, kept.code, kept.message, kept.retryAfterMs);
  }
}

async function tryAgain(
  buying: Buying,
  code: string,
  message: string,
  advisedMs: number | undefined,
): Promise<BuyOutcome | undefined> {
  const { parts, context, asking } = buying;
  buying.tries += 1;
  const waitMs = backOffMs(buying.tries, advisedMs, parts.random());
  if (advisedMs !== undefined) parts.limits.pause(asking.provider.name, waitMs);
  if (advisedMs !== undefined && advisedMs > LONGEST_ADVISED_MS) return rateLimited(buying, advisedMs);
  if (buying.tries >= MAX_TRIES) {
    if (code === 'provider.rate_limited') return rateLimited(buying, waitMs);
    return { outcome: 'item_failed', code: 'provider.unavailable', message: `Tried ${buying.tries} times: ${message}` };
  }
  parts.log.info(
    { stepId: asking.key.stepId, try: buying.tries, waitMs },
    `${asking.provider.name}: ${message}; tried again`,
  );
  const stop = await waitFor(parts, context.safePoint, waitMs);
  return stop ? { outcome: 'stopped', stop } : undefined;
}

function rateLimited({ asking }: Buying, resumeAfterMs: number): BuyOutcome {
  const seconds = Math.ceil(resumeAfterMs / 1000);
  return { outcome: 'rate_limited', message: `${asking.provider.name} asks to wait ${seconds} s.`, resumeAfterMs };
}

function brought(
  { asking }: Buying,
  outcome: 'bought' | 'reused',
  purchaseId: string,
  results: Extract<BuyOutcome, { outcome: 'bought' | 'reused' }>['results'],
): BuyOutcome {
  return { outcome, purchaseId, requestHash: asking.key.requestHash, results, model: asking.call.request.model };
}
