import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../db/pool';
import type { StageStatus } from '../domain/context-stages';

/** Both stages are owed from the beginning, and no retry is spent: for created and replaced content, in their transaction (spec 30). */
export async function owedAnew(tx: Tx, contextId: string, requestId: string): Promise<void> {
  const fresh = {
    embedding_status: 'PENDING',
    summary_status: 'PENDING',
    retry_count: 0,
    last_failure: null,
    last_request_id: requestId,
  } as const;
  await tx
    .insertInto('ai.context_ai_state')
    .values({ context_id: contextId, ...fresh })
    .onConflict((conflict) => conflict.column('context_id').doUpdateSet({ ...fresh, updated_at: sql<Date>`now()` }))
    .execute();
}

/** Unfinished stages become CANCELLED; finished ones stay. Answers whether a stage changed. For deletes, in their transaction. */
export async function cancelUnfinished(tx: Tx, contextId: string): Promise<boolean> {
  return moveStages(tx, contextId, ['PENDING', 'PROCESSING'], 'CANCELLED');
}

async function moveStages(tx: Tx, contextId: string, from: readonly StageStatus[], to: StageStatus): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('ai.context_ai_state')
    .set({
      embedding_status: moved('embedding_status', from, to),
      summary_status: moved('summary_status', from, to),
      updated_at: sql<Date>`now()`,
    })
    .where('context_id', '=', contextId)
    .where((row) => row.or([row('embedding_status', 'in', from), row('summary_status', 'in', from)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function moved(column: string, from: readonly StageStatus[], to: StageStatus): RawBuilder<StageStatus> {
  return sql<StageStatus>`CASE WHEN ${sql.ref(column)} IN (${sql.join(from)}) THEN ${to} ELSE ${sql.ref(column)} END`;
}

/**
 * A FAILED context is asked for again by a person (spec 30): the whole allowance of retries, unfinished and FAILED stages PENDING.
 * COMPLETED and CANCELLED stay. The caller has locked the row and seen a FAILED stage.
 */
export async function owedAfterRetry(tx: Tx, contextId: string, requestId: string): Promise<void> {
  await moveStages(tx, contextId, ['PENDING', 'PROCESSING', 'FAILED'], 'PENDING');
  await tx
    .updateTable('ai.context_ai_state')
    .set({ retry_count: 0, last_failure: null, last_request_id: requestId })
    .where('context_id', '=', contextId)
    .execute();
}
