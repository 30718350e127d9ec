import { sql } from 'kysely';
import type { Logger } from '../../src/observability/logger';
import type { Db } from '../../src/db/pool';
import type { StageStatus } from '../../src/domain/context-stages';
import type { RoundSettings } from '../../src/rescan/settings';

/** Settings far from the defaults, so that a default used by mistake shows. */
export const SETTINGS: RoundSettings = {
  pendingExpiryMs: 120_000,
  processingExpiryMs: 600_000,
  maxRetries: 3,
  batchSize: 100,
};
/** Beyond both expiries. */
export const OLD_SECONDS = 3_600;

export interface StateRow {
  /** Negative: a state without a context. */
  readonly id: string | number;
  readonly embedding?: StageStatus;
  readonly summary?: StageStatus;
  readonly retryCount?: number;
  readonly ageSeconds?: number;
  readonly lastFailure?: string | null;
  readonly requestId?: string | null;
}

/** Writes the state of a context's AI work as another process would have left it. */
export async function putState(db: Db, row: StateRow): Promise<void> {
  const {
    id,
    embedding = 'PENDING',
    summary = 'PENDING',
    retryCount = 0,
    ageSeconds = OLD_SECONDS,
    lastFailure = null,
    requestId = null,
  } = row;
  await sql`
    INSERT INTO ai.context_ai_state (context_id, embedding_status, summary_status, retry_count, last_failure, last_request_id, updated_at)
    VALUES (${id}, ${embedding}, ${summary}, ${retryCount}, ${lastFailure}, ${requestId}, now() - ${ageSeconds} * interval '1 second')
    ON CONFLICT (context_id) DO UPDATE SET embedding_status = excluded.embedding_status, summary_status = excluded.summary_status,
      retry_count = excluded.retry_count, last_failure = excluded.last_failure, last_request_id = excluded.last_request_id,
      updated_at = excluded.updated_at`.execute(db);
}

/** A live context with a state; answers its id. */
export async function putContext(
  db: Db,
  row: Omit<StateRow, 'id'> & {
    readonly projectId?: string;
    readonly title?: string;
    readonly body?: string;
    readonly deleted?: boolean;
  } = {},
): Promise<string> {
  const { projectId = 'p', title = 'A note', body = 'The lighthouse stands on a rock.', deleted = false } = row;
  const { id } = await db
    .insertInto('core.context')
    .values({ project_id: projectId, title, body, deleted_at: deleted ? new Date(0) : null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await putState(db, { ...row, id });
  return id;
}

export interface SeenState {
  readonly embedding: StageStatus;
  readonly summary: StageStatus;
  readonly retryCount: number;
  readonly lastFailure: string | null;
  readonly requestId: string | null;
  /** Seconds since `updated_at`, by the database. */
  readonly ageSeconds: number;
}

export async function stateOf(db: Db, id: string | number): Promise<SeenState> {
  const { rows } = await sql<SeenState>`
    SELECT embedding_status AS embedding, summary_status AS summary, retry_count AS "retryCount", last_failure AS "lastFailure",
           last_request_id AS "requestId", extract(epoch FROM clock_timestamp() - updated_at)::float8 AS "ageSeconds"
    FROM ai.context_ai_state WHERE context_id = ${id}`.execute(db);
  if (!rows[0]) throw new Error(`There is no state of context ${id}.`);
  return rows[0];
}

export async function statusesOf(db: Db, id: string | number): Promise<string> {
  const { embedding, summary } = await stateOf(db, id);
  return `${embedding}/${summary}`;
}

/** Nothing of an earlier test is met by the next one. */
export async function emptyContexts(db: Db): Promise<void> {
  await sql`TRUNCATE core.context, ai.context_ai_state, ai.context_result, ai.rescan_counter`.execute(db);
}

/** Makes every unfinished row as old as if its work had been lost long ago, and changes nothing else. */
export async function letTimePass(db: Db): Promise<void> {
  await sql`UPDATE ai.context_ai_state SET updated_at = now() - ${OLD_SECONDS} * interval '1 second'`.execute(db);
}

export interface LoggedLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that keeps its lines. */
export function keepingLog(): { readonly log: Logger; readonly lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const at = (level: string) => (fields: Record<string, unknown> | string, message?: string) => {
    lines.push(
      typeof fields === 'string' ? { level, message: fields, fields: {} } : { level, message: message ?? '', fields },
    );
  };
  const log = Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, at(level)]),
  );
  return { log: log as unknown as Logger, lines };
}
