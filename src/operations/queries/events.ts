import { sql, type Selectable } from 'kysely';
import type { EventBody } from '../../bodies/event';
import { withDatabaseErrors } from '../../db/errors';
import type { Db, Tx } from '../../db/pool';
import type { EventTable } from '../../db/tables';
import type { EpisodeRef } from '../contract';

/**
 * A place in the order of all events: everything up to and including (xid, id). Ids alone are given before the commit; the
 * transaction first, then the id, is an order in which nothing appears behind a reader (spec 50 `GET /events`).
 */
export interface EventCursor {
  readonly xid: bigint;
  readonly id: bigint;
}

export interface EventFilter {
  /** Absent: of all episodes. */
  readonly episode?: EpisodeRef;
  readonly limit: number;
}

/** As Last-Event-ID carries it. */
export function cursorText({ xid, id }: EventCursor): string {
  return `${xid}-${id}`;
}

const CURSOR = /^(0|[1-9]\d{0,18})-(0|[1-9]\d{0,18})$/;

/** Undefined for what is no cursor. */
export function parseCursor(text: string): EventCursor | undefined {
  const match = CURSOR.exec(text);
  if (!match) return undefined;
  const [, xid = '', id = ''] = match;
  const fits = (digits: string) => BigInt(digits) < 2n ** 63n;
  return fits(xid) && fits(id) ? { xid: BigInt(xid), id: BigInt(id) } : undefined;
}

export function isAfter(one: EventCursor, other: EventCursor): boolean {
  return one.xid === other.xid ? one.id > other.id : one.xid > other.xid;
}

/** Now: what is committed stands before it, what is under way comes after it, some of both perhaps twice. Throws db.unavailable. */
export async function eventHead(db: Db | Tx): Promise<EventCursor> {
  const { xmin } = await withDatabaseErrors('Reading the events failed', () =>
    db.selectNoFrom(sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as('xmin')).executeTakeFirstOrThrow(),
  );
  return { xid: BigInt(xmin), id: 0n };
}

/**
 * Events after a cursor, in order, up to the oldest open transaction: one that commits later comes later, so none is missed.
 * Reads only. Throws db.unavailable.
 */
export async function readEvents(
  db: Db | Tx,
  after: EventCursor,
  { episode, limit }: EventFilter,
): Promise<EventBody[]> {
  const rows = await withDatabaseErrors('Reading the events failed', () => {
    let query = db
      .selectFrom('event')
      .selectAll()
      .where(sql<boolean>`(xid, id) > (${String(after.xid)}::xid8, ${String(after.id)}::bigint)`)
      .where(sql<boolean>`xid < pg_snapshot_xmin(pg_current_snapshot())`);
    if (episode) query = query.where('project_id', '=', episode.projectId).where('episode_id', '=', episode.episodeId);
    return query.orderBy('xid').orderBy('id').limit(limit).execute();
  });
  return rows.map(eventOf);
}

function eventOf(row: Selectable<EventTable>): EventBody {
  const { workflow_id, workflow_run_id } = row;
  return {
    id: cursorText({ xid: BigInt(row.xid), id: BigInt(row.id) }),
    kind: row.kind,
    at: row.at,
    projectId: row.project_id,
    episodeId: row.episode_id,
    stepId: row.step_id,
    status: row.status,
    runId: row.run_id,
    workflow: workflow_id !== null && workflow_run_id !== null ? { id: workflow_id, runId: workflow_run_id } : null,
    owner: row.owner_host !== null || row.owner_pid !== null ? { host: row.owner_host, pid: row.owner_pid } : null,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    cancelRequestedAt: row.cancel_requested_at,
    applicableCount: row.applicable_count,
    completedCount: row.completed_count,
    failedCount: row.failed_count,
    recoveryCount: row.recovery_count,
    lastRecoveryReason: row.last_recovery_reason,
    errorMessage: row.error_message,
  };
}
