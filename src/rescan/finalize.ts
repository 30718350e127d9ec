import { sql } from 'kysely';
import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import type { StageStatus, StageStatuses } from '../domain/context-stages';
import { expired } from './expired';
import type { RoundSettings } from './settings';

export interface FinalizedRow {
  readonly contextId: string;
  /** The stages before. */
  readonly before: StageStatuses;
  readonly retryCount: number;
  readonly lastFailure: string | null;
  /** What the AI service's log knows the newest request by. */
  readonly requestId: string | null;
}

interface Row {
  context_id: string;
  embedding_before: StageStatus;
  summary_before: StageStatus;
  retry_count: number;
  last_failure: string | null;
  last_request_id: string | null;
}

/**
 * Fails lost work whose retries are spent, at most batchSize rows in one transaction (spec 30 "A round", 1). Each stage is judged
 * by a whitelist: PENDING and PROCESSING become FAILED, whatever else stays. A row that another connection holds is left to it.
 * Throws db.unavailable, db.lock_timeout.
 */
export function finalizeBatch(db: Db, settings: RoundSettings): Promise<readonly FinalizedRow[]> {
  return shortTransaction(db, 'Failing lost work', async (tx) => {
    const { rows } = await sql<Row>`
      WITH exhausted AS (
        SELECT context_id, embedding_status, summary_status
        FROM ai.context_ai_state
        WHERE retry_count >= ${settings.maxRetries} AND ${expired(settings)}
        ORDER BY updated_at, context_id
        LIMIT ${settings.batchSize}
        FOR UPDATE SKIP LOCKED
      )
      UPDATE ai.context_ai_state AS state
      SET embedding_status = CASE WHEN state.embedding_status IN ('PENDING', 'PROCESSING') THEN 'FAILED' ELSE state.embedding_status END,
          summary_status = CASE WHEN state.summary_status IN ('PENDING', 'PROCESSING') THEN 'FAILED' ELSE state.summary_status END,
          updated_at = now()
      FROM exhausted
      WHERE state.context_id = exhausted.context_id
      RETURNING state.context_id, exhausted.embedding_status AS embedding_before, exhausted.summary_status AS summary_before,
                state.retry_count, state.last_failure, state.last_request_id`.execute(tx);
    return rows.map((row) => ({
      contextId: row.context_id,
      before: { embedding: row.embedding_before, summary: row.summary_before },
      retryCount: row.retry_count,
      lastFailure: row.last_failure,
      requestId: row.last_request_id,
    }));
  });
}
