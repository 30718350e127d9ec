import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { ItemResultTable } from '../db/tables';
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
  return new Map(rows.map((row) => [row.item_id, toItem(row)]));
}

type ItemRow = Pick<
  Selectable<ItemResultTable>,
  'item_id' | 'status' | 'request_hash' | 'schema_version' | 'generation' | 'result' | 'error_code' | 'error_message'
>;

/** A result that is no JSON any more counts as failed, so that the item is asked again: what was bought for it is reused. */
function toItem(row: ItemRow): KeptItem {
  const result = row.status === 'done' ? parseResult(row.result) : undefined;
  return {
    itemId: row.item_id,
    status: result === undefined ? 'failed' : 'done',
    requestHash: row.request_hash,
    schemaVersion: row.schema_version,
    generation: row.generation,
    result: result ?? null,
    errorCode: row.error_code,
    errorMessage: row.error_message,
  };
}

function parseResult(text: string | null): Json | undefined {
  try {
    return JSON.parse(text ?? '') as Json;
  } catch {
    return undefined; // damaged by hand or by another tool
  }
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
