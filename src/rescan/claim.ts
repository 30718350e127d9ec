import { sql } from 'kysely';
import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { expired } from './expired';
import type { RoundSettings } from './settings';

export interface ClaimedRow {
  readonly contextId: string;
  /** This one counted. */
  readonly retryCount: number;
}

/**
 * Claims lost work to be asked for again, oldest first (spec 30 "A round", 2). A row that another connection holds is left to it.
 * Counting here, before anything is sent, is what bounds the retries of work that kills its worker; refreshing `updated_at` is
 * what keeps this very row from being expired, and so from being failed, in the round that spends its last retry. Throws
 * db.unavailable, db.lock_timeout.
 */
export function claimExpired(db: Db, settings: RoundSettings): Promise<readonly ClaimedRow[]> {
  return shortTransaction(db, 'Claiming lost work', async (tx) => {
    const { rows } = await sql<{ context_id: string; retry_count: number }>`
      WITH claimable AS (
        SELECT context_id
        FROM ai.context_ai_state
        WHERE retry_count < ${settings.maxRetries} AND ${expired(settings)}
        ORDER BY updated_at, context_id
        LIMIT ${settings.batchSize}
        FOR UPDATE SKIP LOCKED
      )
      UPDATE ai.context_ai_state AS state
      SET retry_count = state.retry_count + 1,
          updated_at = now(),
          last_request_id = gen_random_uuid()::text
      FROM claimable
      WHERE state.context_id = claimable.context_id
      RETURNING state.context_id, state.retry_count`.execute(tx);
    return rows.map((row) => ({ contextId: row.context_id, retryCount: row.retry_count }));
  });
}
