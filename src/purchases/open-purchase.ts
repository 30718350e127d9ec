import type { Db, Tx } from '../db/pool';
import type { ProcessIdentity } from '../domain/identity';
import type { Stop } from '../domain/stop';
import { shortTransaction } from '../db/transaction';
import { shareHeldRow } from '../ledger/fence';
import type { Held } from '../ledger/held';
import { shareRun } from '../ledger/share-run';
import { closePurchases } from './close-purchases';
import { insertSent, type NewPurchase } from './insert-sent';
import { judge, type BuyRules } from './judge';
import { hasCancelMark } from './read-cancel-mark';
import { lockRequest, type RequestRow } from './read-request';
import { idempotencyKeyOf, type RequestKey } from './request-key';
import { findExhausted, type Exhausted } from './reserve-budget';
import type { Eyes } from './sender-gone';

export type Opened =
  | { readonly opened: 'sent'; readonly idempotencyKey: string; readonly ask: number }
  /** The purchases of the request are not what the look saw. */
  | { readonly opened: 'look' }
  | { readonly opened: 'stopped'; readonly stop: Stop }
  | { readonly opened: 'exhausted'; readonly exhausted: Exhausted };

export interface Opening {
  readonly db: Db;
  readonly identity: ProcessIdentity;
  readonly eyes: Eyes;
  readonly rules: BuyRules;
  readonly held: Held;
  readonly purchase: Omit<NewPurchase, 'idempotencyKey'>;
}

class ChangedMeanwhile extends Error {}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** What else must hold: the run is open, no cancel covers the step, the step is held. The run's row comes first (spec 10). */
async function whyNot(tx: Tx, held: Held): Promise<Stop | null> {
  const run = await shareRun(tx, held.workflowRunId, held.stepId);
  if (run.cancelled) return { why: 'cancelled' };
  if (!(await shareHeldRow(tx, held))) return { why: 'ownership_lost' };
  // Still its owner, who must end the row, and not abandon it: but it works for nobody any more, and buys nothing.
  if (!run.open) return { why: 'handed_back', cause: 'its run has ended' };
  return (await hasCancelMark(tx, held)) ? { why: 'cancelled' } : null;
}

/** Another call of this run may have been opened and settled between the lock and the insert, as both share the step's row. */
async function requireAlone(tx: Tx, key: RequestKey, known: readonly RequestRow[]): Promise<void> {
  const rows = await lockRequest(tx, key);
  if (rows.length !== known.length + 1) throw new ChangedMeanwhile();
}

/** Nothing is written before the last question is answered, so that an answer other than `sent` leaves all as it was. */
async function open(tx: Tx, { identity, eyes, rules, held, purchase }: Opening): Promise<Opened> {
  const stop = await whyNot(tx, held);
  if (stop) return { opened: 'stopped', stop };

  const { key, estimateUsd } = purchase;
  const known = await lockRequest(tx, key);
  const send = judge(known, eyes, rules);
  if (send.next !== 'send') return { opened: 'look' };

  // Under a key that is charged once, the new purchase is the old ones again, those that were closed before as well: their
  // reserve must not stand twice.
  const idempotencyKey = idempotencyKeyOf(key, send.ask);
  const isReplaced = (row: RequestRow) =>
    send.close.includes(row.id) || (row.status === 'closed' && row.idempotency_key === idempotencyKey);
  const replaced = known.filter((row) => row.key_honoured && isReplaced(row)).map((row) => row.id);
  const exhausted = await findExhausted(tx, {
    projectId: key.projectId,
    workflowRunId: held.workflowRunId,
    estimateUsd,
    replaced,
  });
  if (exhausted) return { opened: 'exhausted', exhausted };

  await closePurchases(tx, send.close);
  await insertSent(tx, { ...purchase, idempotencyKey }, held, identity);
  await requireAlone(tx, key, known);
  return { opened: 'sent', idempotencyKey, ask: send.ask };
}

/**
 * The one transaction before a request leaves (spec 40 "Purchases"): the run is open, no cancel covers the step, the step is
 * held; the purchases of the request are locked: none settled, none open, those in doubt closed; the budget is reserved; the
 * row stands as `sent`. Throws db.unavailable (then it may stand or not) and db.lock_timeout.
 */
export async function openPurchase(opening: Opening): Promise<Opened> {
  try {
    return await shortTransaction(opening.db, 'Opening a purchase', (tx) => open(tx, opening));
  } catch (error) {
    if (error instanceof ChangedMeanwhile || isUniqueViolation(error)) return { opened: 'look' };
    throw error;
  }
}
