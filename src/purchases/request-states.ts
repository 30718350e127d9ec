import type { Db } from '../db/pool';
import type { StepKey } from '../ledger/key';
import { isUsable, mayBeBoughtAgain, type BuyRules } from './judge';
import { isExpired, type RequestRow } from './read-request';
import { isPast, type Eyes } from './sender-gone';

/** What plan says of a request: nothing to buy, one that must be decided first, or one to buy (spec 40 "Plan"). */
export type RequestState = 'settled' | 'refused' | 'given_up' | 'open' | 'in_doubt' | 'buy_again' | 'none';

/** Looks up one request of a step in one generation. */
export type RequestStates = (requestHash: string, generation: number) => RequestState;

const RANK: readonly RequestState[] = ['settled', 'refused', 'given_up', 'open', 'in_doubt', 'buy_again', 'none'];

/**
 * The state of every request that a step has asked, read at once; the same order of precedence as the judge's, by what the
 * project says of calls in doubt, so that the plan announces what the run will do. Read only.
 */
export async function requestStates(
  db: Db,
  { projectId, episodeId, stepId }: StepKey,
  inDoubt: BuyRules['inDoubt'],
  eyes: Eyes,
): Promise<RequestStates> {
  const rows = await db
    .selectFrom('purchase')
    .selectAll()
    .select(isExpired.as('expired'))
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .where('step_id', '=', stepId)
    .execute();
  const states = new Map<string, RequestState>();
  for (const row of rows) {
    const key = `${row.request_hash} ${row.generation}`;
    const before = states.get(key) ?? 'none';
    const now = stateOf(row, inDoubt, eyes);
    if (RANK.indexOf(now) < RANK.indexOf(before)) states.set(key, now);
  }
  return (requestHash, generation) => states.get(`${requestHash} ${generation}`) ?? 'none';
}

function stateOf(row: RequestRow, inDoubt: BuyRules['inDoubt'], eyes: Eyes): RequestState {
  if (isUsable(row)) return 'settled';
  if (row.error_code === 'provider.refused') return 'refused';
  if (row.status === 'closed') return row.settled_by_operator === 'give-up' ? 'given_up' : 'none';
  if (row.status !== 'sent' && row.status !== 'in_doubt') return 'none';
  // Under a key that is charged once, what was sent is sent again: never in doubt.
  if (row.key_honoured || mayBeBoughtAgain(row)) return 'buy_again';
  if (row.status === 'sent' && !isPast(row, eyes)) return 'open';
  return inDoubt === 'rebuy' ? 'buy_again' : 'in_doubt';
}
