import type { ErrorCode } from '../domain/errors';
import type { RequestRow } from './read-request';
import { isPast, type Eyes } from './sender-gone';

export interface BuyRules {
  /** The run of the step that wants to buy. */
  readonly runId: string;
  readonly workflowRunId: string | null;
  /** What the project says about a call that may have been charged. */
  readonly inDoubt: 'ask' | 'rebuy';
  /** So many unreadable answers in one run of the workflow end the item. */
  readonly maxInvalidAnswers: number;
}

/** What earlier purchases of the request leave to do. */
export type Next =
  | { readonly next: 'reuse'; readonly purchase: RequestRow }
  | { readonly next: 'fail'; readonly code: ErrorCode; readonly message: string }
  /** Its answer may still come. */
  | { readonly next: 'wait'; readonly purchase: RequestRow }
  /** Nobody waits for the answer any more: in doubt. */
  | { readonly next: 'doubt'; readonly purchase: RequestRow; readonly why: string }
  | { readonly next: 'ask'; readonly purchase: RequestRow }
  /** Buy; `close` are the purchases whose place the new one takes. */
  | { readonly next: 'send'; readonly close: readonly string[]; readonly ask: number };

export function isUsable(row: Pick<RequestRow, 'status' | 'unusable_at'>): boolean {
  return row.status === 'settled' && row.unusable_at === null;
}

/** A late answer is reused only if none was settled before it: results that were made from the first one stay right. */
function firstSettled(rows: readonly RequestRow[]): RequestRow | undefined {
  return rows.filter(isUsable).sort((a, b) => ((a.settled_at ?? '') < (b.settled_at ?? '') ? -1 : 1))[0];
}

/** An answer that was charged and could not be read; one that could not be stored was never read. */
function isUnreadable(row: RequestRow): boolean {
  return row.error_code === 'provider.invalid_answer' || row.error_code === 't2i_review.unknown_item_id';
}

/** An operator said so, or its definite answer came late and said that nothing was charged. */
export function mayBeBoughtAgain(row: RequestRow): boolean {
  return row.settled_by_operator === 'buy-again' || (row.cost_usd !== null && Number(row.cost_usd) === 0);
}

/**
 * Pure: the purchases of one request and generation → what to do (spec 40 "Purchases"; the model's `look`). Asked before the
 * transaction and, with the rows locked, inside of it. `eyes` are used only for rows that are given.
 */
export function judge(rows: readonly RequestRow[], eyes: Eyes, rules: BuyRules): Next {
  const settled = firstSettled(rows);
  if (settled) return { next: 'reuse', purchase: settled };

  const refused = rows.find((row) => row.error_code === 'provider.refused');
  if (refused) return { next: 'fail', code: 'provider.refused', message: refused.error_message ?? 'refused' };

  const givenUp = rows.find((row) => row.status === 'closed' && row.settled_by_operator === 'give-up');
  if (givenUp)
    return { next: 'fail', code: 'purchase.given_up', message: `Purchase ${givenUp.id} was given up by an operator.` };

  const open = rows.find((row) => row.status === 'sent');
  if (open) {
    const takenOver = takesOver(open, eyes, rules);
    if (!takenOver && !isPast(open, eyes)) return { next: 'wait', purchase: open };
    if (!open.key_honoured) return { next: 'doubt', purchase: open, why: whyPast(open, eyes) };
  }

  const doubts = rows.filter((row) => row.status === 'in_doubt');
  for (const doubt of doubts) {
    if (doubt.key_honoured || mayBeBoughtAgain(doubt)) continue;
    if (rules.inDoubt === 'ask') return { next: 'ask', purchase: doubt };
    if (!isPast(doubt, eyes)) return { next: 'wait', purchase: doubt };
  }

  const unreadable = rows.filter(isUnreadable);
  const inThisRun = unreadable.filter((row) =>
    rules.workflowRunId === null ? row.run_id === rules.runId : row.workflow_run_id === rules.workflowRunId,
  );
  const last = inThisRun.at(-1);
  if (last && inThisRun.length >= rules.maxInvalidAnswers) return usedUp(last, inThisRun.length);

  const close = [...(open ? [open] : []), ...doubts].map((row) => row.id);
  return { next: 'send', close, ask: unreadable.length };
}

/**
 * A key that is charged once may be sent again without waiting: whoever holds the step now knows that the sender does not
 * any more. A call of this very process is waited for; its answer is near.
 */
function takesOver(open: RequestRow, eyes: Eyes, rules: BuyRules): boolean {
  return open.key_honoured && open.owner_boot_id !== eyes.identity.bootId && open.run_id !== rules.runId;
}

function whyPast(row: RequestRow, eyes: Eyes): string {
  if (row.owner_boot_id === eyes.identity.bootId) return 'this process sent it, and waits for it no more';
  if (row.expired) return `send window and deadline passed at ${row.deadline_at} without an answer`;
  return `its process ${row.owner_pid} on ${row.owner_host} is gone`;
}

function usedUp(last: RequestRow, answers: number): Next {
  const code =
    last.error_code === 't2i_review.unknown_item_id' ? 't2i_review.unknown_item_id' : 'provider.invalid_answer';
  return {
    next: 'fail',
    code,
    message: `${answers} answers could not be used; the last one: ${last.error_message ?? ''}`,
  };
}
