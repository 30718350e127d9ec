import { loadClientConnectConfig } from '@temporalio/envconfig';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { AppError } from '../domain/errors';
import { requireSchema } from '../db/migrate';
import { openDatabase } from '../db/pool';

const ANSWER_LIMIT_MS = 5_000;

/** Host and database of an address, without its password. */
function placeOf(databaseUrl: string): string {
  try {
    const { host, pathname } = new URL(databaseUrl);
    return `${host}${pathname}`;
  } catch {
    return 'an address that cannot be read';
  }
}

/** The database that DATABASE_URL names: it must answer and have the schema. Throws db.unavailable or db.schema_outdated. */
export async function requireExternalDatabase(databaseUrl: string): Promise<void> {
  const open = openDatabase(databaseUrl, 1, () => undefined);
  try {
    await requireSchema(open.db);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'db.unavailable') throw error;
    throw new AppError(
      'db.unavailable',
      `The database at ${placeOf(databaseUrl)} (DATABASE_URL) does not answer: ${error.message}`,
      undefined,
      { cause: error },
    );
  } finally {
    await open.close();
  }
}

/** Connects and closes again. Throws what the connection says. */
export async function requireAnswer(address: string, options: ConnectionOptions = {}): Promise<void> {
  const connection = await Connection.connect({ ...options, address, connectTimeout: ANSWER_LIMIT_MS });
  await connection.close();
}

/** The server that TEMPORAL_ADDRESS names, with TLS and key as `@temporalio/envconfig` reads them. Throws temporal.unavailable. */
export async function requireExternalTemporal(address: string): Promise<void> {
  try {
    const { connectionOptions } = loadClientConnectConfig();
    await requireAnswer(address, connectionOptions);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'temporal.unavailable',
      `The Temporal server at TEMPORAL_ADDRESS=${address} does not answer: ${reason}.`,
      undefined,
      { cause: error },
    );
  }
}
