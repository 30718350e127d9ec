import { openDatabase } from '../../src/db/pool';
import { migrate } from '../../src/db/migrate';
import { closeDatabase, createDatabase, databaseUrl, dropDatabase, uniqueDatabaseName } from './database-server';
import {
  databaseServerUrl,
  givenDatabaseUrl,
  givenTemporalAddress,
  publishDatabase,
  publishTemporal,
  withdrawDatabase,
  withdrawTemporal,
} from './settings';

/** The servers of a test run. Two jest projects may need the same one: the first starts it, the last to end stops it. */
interface Service {
  users: number;
  stop(): Promise<void>;
}

const running = new Map<'postgres' | 'temporal', Service>();

async function use(name: 'postgres' | 'temporal', start: () => Promise<() => Promise<void>>): Promise<void> {
  const service = running.get(name);
  if (service) service.users += 1;
  else running.set(name, { users: 1, stop: await start() });
}

async function leave(name: 'postgres' | 'temporal'): Promise<void> {
  const service = running.get(name);
  if (!service) return;
  service.users -= 1;
  if (service.users > 0) return;
  running.delete(name);
  await service.stop();
}

/** Makes the migrated database that each test file clones: much faster than migrating for each. */
async function makeTemplate(serverUrl: string): Promise<string> {
  const name = uniqueDatabaseName('template');
  await createDatabase(serverUrl, name);
  const open = openDatabase(databaseUrl(serverUrl, name), 1, () => undefined);
  try {
    await migrate(open.db);
  } finally {
    await open.close();
  }
  await closeDatabase(serverUrl, name);
  return name;
}

export async function startPostgres(): Promise<void> {
  await use('postgres', async () => {
    const given = givenDatabaseUrl();
    if (given === undefined) throw new Error('Set TEST_DATABASE_URL to a PostgreSQL superuser.');
    const template = await makeTemplate(given);
    publishDatabase(given, template);
    return async () => {
      await dropDatabase(databaseServerUrl(), template);
      withdrawDatabase(true);
    };
  });
}

export async function startTemporal(): Promise<void> {
  await use('temporal', () => {
    const given = givenTemporalAddress();
    if (given === undefined) throw new Error('Set TEST_TEMPORAL_ADDRESS to a Temporal server.');
    publishTemporal(given);
    return Promise.resolve(() => Promise.resolve(withdrawTemporal(true)));
  });
}

export async function stopPostgres(): Promise<void> {
  await leave('postgres');
}

export async function stopTemporal(): Promise<void> {
  await leave('temporal');
}
