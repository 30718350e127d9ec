import { Client } from 'pg';

/** Starting up or recovering. */
const CANNOT_CONNECT_NOW = '57P03';

function isNotYet(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  // A socket error: it does not listen yet.
  return code === CANNOT_CONNECT_NOW || /^E[A-Z]+$/.test(code) || /terminated|timeout/i.test(error.message);
}

/**
 * The first thing asked of a PostgreSQL server that was just started: makes the database where it is absent. Answers
 * `not yet` while the server starts or recovers; throws what waiting does not mend. The name is ours, never a user's.
 */
export async function makeDatabaseOnceReady(serverUrl: string, database: string): Promise<'made' | 'not yet'> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  // A server that goes away under us shows in the query; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    return 'made';
  } catch (error) {
    if (isNotYet(error)) return 'not yet';
    throw error;
  } finally {
    // Closing a connection that never came about fails; the outcome is known by then.
    await client.end().catch(() => undefined);
  }
}
