import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { Json } from '../domain/json';
import type { StepKey } from '../ledger/key';

/** What is kept of an item (spec 20 "Items"). */
export interface KeptItem {
  readonly itemId: string;
  readonly status: 'done' | 'failed';
  readonly requestHash: string;
  readonly schemaVersion: number;
  readonly generation: number;
  readonly result: Json;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** The current result of every item of a step, by item. */
export async function keptItems(db: Db | Tx, key: StepKey): Promise<ReadonlyMap<string, KeptItem>> {
  const rows = await db
    .selectFrom('item_result')
    .select([
      'item_id',
      'status',
      'request_hash',
      'schema_version',
      'generation',
      'result',
      'error_code',
      'error_message',
    ])
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('archived_at', 'is', null)
    .execute();
  return new Map(
    rows.map((row) => [
      row.item_id,
      {
        itemId: row.item_id,
        status: row.status === 'done' ? 'done' : 'failed',
        requestHash: row.request_hash,
        schemaVersion: row.schema_version,
        generation: row.generation,
        result: row.result === null ? null : (JSON.parse(row.result) as Json),
        errorCode: row.error_code,
        errorMessage: row.error_message,
      },
    ]),
  );
}

export interface NewItem extends Omit<KeptItem, 'result'> {
  readonly result: Json;
  readonly purchaseId: string | null;
  readonly runId: string;
}

/** Keeps an item's result; the one before it is archived. The caller holds the fence in this transaction. */
export async function keepItem(tx: Tx, key: StepKey, item: NewItem): Promise<void> {
  await archiveItems(tx, key, [item.itemId]);
  await tx
    .insertInto('item_result')
    .values({
      project_id: key.projectId,
      episode_id: key.episodeId,
      step_id: key.stepId,
      item_id: item.itemId,
      status: item.status,
      request_hash: item.requestHash,
      schema_version: item.schemaVersion,
      generation: item.generation,
      result: item.status === 'done' ? JSON.stringify(item.result) : null,
      error_code: item.errorCode,
      error_message: item.errorMessage,
      purchase_id: item.purchaseId,
      run_id: item.runId,
      archived_at: null,
    })
    .execute();
}

/** Detaches item results; blobs are never deleted (spec 20 "Items"). `items` absent: all of the step. */
export async function archiveItems(tx: Tx, key: StepKey, items?: readonly string[]): Promise<void> {
  if (items?.length === 0) return;
  let query = tx
    .updateTable('item_result')
    .set({ archived_at: sql`callsheet_now()` })
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('archived_at', 'is', null);
  if (items) query = query.where('item_id', 'in', [...items]);
  await query.execute();
}
