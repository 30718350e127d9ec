import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { StepKey } from '../ledger/key';

/** The acts that may mark an item stale (spec 20 "Items"); each in one transaction, and audited. */
export type MarkingAct = 'force' | 'editor' | 'toggle' | 'restore' | 'screenplay' | 'stale_row';

export interface StaleMark {
  /** What it is from: a MarkingAct, or another tool's word. */
  readonly act: string;
  /** When it was made, or made anew: the very text that the database has. */
  readonly at: string;
}

/** Marks and what they are from, by item; '*' stands for all items of the step. */
export async function staleMarks(db: Db | Tx, key: StepKey): Promise<ReadonlyMap<string, string>> {
  return actsOf(await datedMarks(db, key));
}

export function actsOf(marks: ReadonlyMap<string, StaleMark>): ReadonlyMap<string, string> {
  return new Map([...marks].map(([item, { act }]) => [item, act]));
}

/** The same, as an owner reads them that will delete exactly these. */
export async function datedMarks(db: Db | Tx, key: StepKey): Promise<ReadonlyMap<string, StaleMark>> {
  const rows = await db
    .selectFrom('stale_mark')
    .select(['item_id', 'act', 'at'])
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .execute();
  return new Map(rows.map(({ item_id: item, act, at }) => [item, { act, at }]));
}

/**
 * Marks these items, with or without a result. `items` absent: every item of the step that has one. A mark that stands already
 * is made anew: an owner that has read it before this act must not delete it. It stays what it is from, but for a toggle's,
 * which never asks a kept item again: any other act means more.
 */
export async function markStale(
  tx: Tx,
  key: StepKey,
  act: Exclude<MarkingAct, 'toggle'>,
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
      SET act = CASE stale_mark.act WHEN 'toggle' THEN EXCLUDED.act ELSE stale_mark.act END,
          request_id = CASE stale_mark.act WHEN 'toggle' THEN EXCLUDED.request_id ELSE stale_mark.request_id END,
          at = callsheet_now()`.execute(tx);
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

/**
 * Deletes exactly the marks that were read; the owner does it with the write that keeps the item or finds its request unchanged.
 * One that has been made or made anew since stays. Not by `at <= …`: a mark bears a time from before its commit.
 */
export async function clearMarksRead(tx: Tx, key: StepKey, read: ReadonlyMap<string, StaleMark>): Promise<void> {
  if (read.size === 0) return;
  const times = [...read.values()].map((mark) => mark.at);
  await sql`
    DELETE FROM stale_mark USING unnest(${[...read.keys()]}::text[], ${times}::text[]) AS read (item_id, at)
    WHERE project_id = ${key.projectId} AND episode_id = ${key.episodeId} AND step_id = ${key.stepId}
      AND stale_mark.item_id = read.item_id AND stale_mark.at = read.at`.execute(tx);
}

/** Deletes marks, whatever they are from and since when. The caller has locked the step's row, and no one runs it. */
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
