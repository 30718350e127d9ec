import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { StepKey } from '../ledger/key';

/** The acts that may mark an item stale (spec 20 "Items"); each in one transaction, and audited. */
export type MarkingAct = 'force' | 'editor' | 'toggle' | 'restore' | 'screenplay' | 'stale_row';

/** Marks and what they are from, by item; '*' stands for all items of the step. */
export async function staleMarks(db: Db | Tx, key: StepKey): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('stale_mark')
    .select(['item_id', 'act'])
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .execute();
  return new Map(rows.map((row) => [row.item_id, row.act]));
}

/**
 * Marks these items, with or without a result. `items` absent: every item of the step that has one. A mark that stands already
 * stays, but for a toggle's, which never asks a kept item again: any other act means more.
 */
export async function markStale(
  tx: Tx,
  key: StepKey,
  act: MarkingAct,
  requestId: string | null,
  items?: readonly string[],
): Promise<void> {
  if (items?.length === 0) return;
  const marked = items
    ? sql`SELECT DISTINCT unnest(${[...items]}::text[]) AS item_id`
    : sql`SELECT item_id FROM item_result
          WHERE project_id = ${key.projectId} AND episode_id = ${key.episodeId} AND step_id = ${key.stepId}
            AND archived_at IS NULL`;
  await sql`
    INSERT INTO stale_mark (project_id, episode_id, step_id, item_id, act, request_id)
    SELECT ${key.projectId}::text, ${key.episodeId}::text, ${key.stepId}::text, item_id, ${act}::text, ${requestId}::text
    FROM (${marked}) AS marked
    ON CONFLICT (project_id, episode_id, step_id, item_id) DO UPDATE
      SET act = EXCLUDED.act, request_id = EXCLUDED.request_id, at = callsheet_now()
      WHERE stale_mark.act = 'toggle' AND EXCLUDED.act <> 'toggle'`.execute(tx);
}

/** A person switched a shot: its mark stands with or without a result, so that the step is looked at (spec 20, "staleOnShotSelectionChange"). */
export async function markToggled(tx: Tx, key: StepKey, item: string): Promise<void> {
  await tx
    .insertInto('stale_mark')
    .values({
      project_id: key.projectId,
      episode_id: key.episodeId,
      step_id: key.stepId,
      item_id: item,
      act: 'toggle',
      request_id: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes marks; the owner does it with the write that keeps the item or finds its request unchanged. */
export async function clearMarks(tx: Tx, key: StepKey, items: readonly string[]): Promise<void> {
  if (items.length === 0) return;
  await tx
    .deleteFrom('stale_mark')
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('item_id', 'in', [...items])
    .execute();
}

/** Deletes the marks of switched shots: the step has nothing to draw, so nothing of them is left to look at. */
export async function clearToggleMarks(tx: Tx, key: StepKey): Promise<void> {
  await tx
    .deleteFrom('stale_mark')
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('act', '=', 'toggle')
    .execute();
}
