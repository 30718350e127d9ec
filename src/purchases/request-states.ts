import type { Db } from '../db/pool';
import { isUsable } from './judge';
import { isExpired } from './read-request';

/** What plan says of a request: nothing to buy, one that must be decided first, or one to buy (spec 40 "Plan"). */
export type RequestState = 'settled' | 'refused' | 'given_up' | 'open' | 'in_doubt' | 'buy_again' | 'none';

/** Looks up one request of a step in one generation. */
export type RequestStates = (requestHash: string, generation: number) => RequestState;

const RANK: readonly RequestState[] = ['settled', 'refused', 'given_up', 'open', 'in_doubt', 'buy_again', 'none'];

/** The state of every request that a step has asked, read at once; the same order of precedence as the judge's. Read only. */
export async function requestStates(
  db: Db,
  projectId: string,
  episodeId: string,
  stepId: string,
): Promise<RequestStates> {
  const rows = await db
    .selectFrom('purchase')
    .select([
      'request_hash',
      'generation',
      'status',
      'unusable_at',
      'error_code',
      'settled_by_operator',
      'key_honoured',
    ])
    .select(isExpired.as('expired'))
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .where('step_id', '=', stepId)
    .execute();
  const states = new Map<string, RequestState>();
  for (const row of rows) {
    const key = `${row.request_hash} ${row.generation}`;
    const before = states.get(key) ?? 'none';
    const now = stateOf(row);
    if (RANK.indexOf(now) < RANK.indexOf(before)) states.set(key, now);
  }
  return (requestHash, generation) => states.get(`${requestHash} ${generation}`) ?? 'none';
}

function stateOf(row: {
  readonly status: string;
  readonly unusable_at: string | null;
  readonly error_code: string | null;
  readonly settled_by_operator: string | null;
  readonly key_honoured: boolean;
  readonly expired: boolean;
}): RequestState {
  if (isUsable(row)) return 'settled';
  if (row.error_code === 'provider.refused') return 'refused';
  if (row.status === 'closed') return row.settled_by_operator === 'give-up' ? 'given_up' : 'none';
  if (row.status !== 'sent' && row.status !== 'in_doubt') return 'none';
  // Under a key that is charged once, what was sent is sent again: never in doubt.
  if (row.key_honoured || row.settled_by_operator === 'buy-again') return 'buy_again';
  return row.status === 'sent' && !row.expired ? 'open' : 'in_doubt';
}
