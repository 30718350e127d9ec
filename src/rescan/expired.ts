import { sql, type RawBuilder } from 'kysely';
import type { RoundSettings } from './settings';

/** The predicate of the partial index context_ai_state_unfinished, word for word: so the planner knows that it may use it. */
const UNFINISHED = sql`(embedding_status IN ('PENDING', 'PROCESSING') OR summary_status IN ('PENDING', 'PROCESSING'))`;

const ago = (ms: number): RawBuilder<unknown> => sql`now() - ${ms}::double precision * interval '1 millisecond'`;

/** A stage is owed still. */
export function unfinished(): RawBuilder<boolean> {
  return sql<boolean>`${UNFINISHED}`;
}

/**
 * Work that counts as lost, spec 30: the one fragment that finalize and claim share, over ai.context_ai_state. The database's
 * clock. The bound by the shorter expiry follows from the rest; it lets the index scan end where no row can be expired.
 */
export function expired({
  pendingExpiryMs,
  processingExpiryMs,
}: Pick<RoundSettings, 'pendingExpiryMs' | 'processingExpiryMs'>): RawBuilder<boolean> {
  return sql<boolean>`(
    ${UNFINISHED}
    AND updated_at < ${ago(Math.min(pendingExpiryMs, processingExpiryMs))}
    AND (
      ('PENDING' IN (embedding_status, summary_status) AND updated_at < ${ago(pendingExpiryMs)})
      OR ('PROCESSING' IN (embedding_status, summary_status) AND updated_at < ${ago(processingExpiryMs)})
    )
  )`;
}
