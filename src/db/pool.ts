import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import { closingUnanswered, WITH_LIMITS } from './answer-limit';
import type { Database } from './tables';

export type Db = Kysely<Database>;
/** A function that takes a Tx must run in a transaction; the type says so (shared style, rule 6). */
export type Tx = Transaction<Database>;

/** The system's own default is two hours. */
const SILENT_MS = 10_000;

export interface OpenDatabase {
  readonly db: Db;
  close(): Promise<void>;
}

/**
 * Opens a pool. An idle connection that the server drops is logged and replaced, never a crash (cases C30). Connecting waits
 * at most 5 s, and no statement is waited for longer than a minute: a network that swallows packets answers nothing, ever.
 * `onIdleError` is told of dropped connections.
 */
export function openDatabase(
  databaseUrl: string,
  poolSize: number,
  onIdleError: (error: Error) => void,
  options: PoolConfig = {},
): OpenDatabase {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENT_MS,
    application_name: 'callsheet',
    ...WITH_LIMITS,
    ...options,
  });
  pool.on('error', onIdleError);
  pool.on('connect', (client) => client.on('error', onIdleError));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: closingUnanswered(pool) }) });
  return { db, close: () => db.destroy() };
}
