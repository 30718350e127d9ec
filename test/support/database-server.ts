import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

/** A name that no other test and no other test run has. At most 63 characters, no quoting needed. */
export function uniqueDatabaseName(kind: string): string {
  return `callsheet_${kind}_${process.pid}_${randomBytes(6).toString('hex')}`;
}

/** Runs statements on the server's maintenance database over a connection of their own. Names come from uniqueDatabaseName. */
async function onServer(serverUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    await client.query(
      template === undefined ? `CREATE DATABASE ${name}` : `CREATE DATABASE ${name} TEMPLATE ${template}`,
    );
  });
}

/** Also ends the connections that a crashed process left behind. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

/** After this nobody can connect to the template, so that cloning it never meets a connection. */
export async function closeDatabase(serverUrl: string, name: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  });
}

/** Drops what earlier test runs left, on a server that serves this test run only. */
export async function dropLeftDatabases(serverUrl: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      String.raw`SELECT datname AS name FROM pg_database WHERE datname ~ '^callsheet_(test|template)_\d+_[0-9a-f]+$'`,
    );
    for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}
