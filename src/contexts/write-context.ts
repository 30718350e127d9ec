import { sql } from 'kysely';
import type { Tx } from '../db/pool';

export interface ContextText {
  readonly title: string;
  readonly body: string;
}

/** Writes a new context; answers its id. */
export async function insertContext(tx: Tx, projectId: string, { title, body }: ContextText): Promise<string> {
  const { id } = await tx
    .insertInto('core.context')
    .values({ project_id: projectId, title, body })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Puts other content in place of a live context's; its results belong to the old content and go. Answers whether there was one. */
export async function replaceContext(tx: Tx, contextId: string, { title, body }: ContextText): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('core.context')
    .set({ title, body, updated_at: sql<Date>`now()` })
    .where('id', '=', contextId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx.deleteFrom('ai.context_result').where('context_id', '=', contextId).execute();
  return true;
}

/** Marks a live context deleted. Answers whether there was one. */
export async function markDeleted(tx: Tx, contextId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('core.context')
    .set({ deleted_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    .where('id', '=', contextId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
