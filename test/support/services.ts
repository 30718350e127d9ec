import { readConfig } from '../../src/config';
import { migrate } from '../../src/db/migrate';
import { openDatabase } from '../../src/db/pool';
import { logFileOf } from '../../src/embedded/home';
import { preparePostgres } from '../../src/embedded/postgres-server';
import { findTemporal } from '../../src/embedded/temporal-finder';
import { prepareTemporal } from '../../src/embedded/temporal-server';
import { addSearchAttributes } from './search-attributes';
import {
  closeDatabase,
  createDatabase,
  databaseUrl,
  dropDatabase,
  dropLeftDatabases,
  uniqueDatabaseName,
} from './database-server';
import {
  givenDatabaseUrl,
  givenTemporalAddress,
  publishDatabase,
  publishTemporal,
  withdrawDatabase,
  withdrawTemporal,
} from './settings';
import { Shared } from './shared-service';
import { openTestHome } from './test-home';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const testHome = new Shared(async () => {
  const home = await openTestHome(say);
  return { value: home, stop: () => home.leave() };
});

/** A PostgreSQL server; its address. */
async function openPostgresServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = givenDatabaseUrl();
  if (given !== undefined) return { url: given, stop: () => Promise.resolve() };
  const home = await testHome.use();
  const service = await preparePostgres(home.home, say);
  const server = await home.start('postgres', (spawned) => service.start(spawned));
  await dropLeftDatabases(service.databaseUrl);
  return {
    url: service.databaseUrl,
    stop: async () => {
      await server.stop();
      await testHome.leave();
    },
  };
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

/** TEST_DATABASE_URL, or PostgreSQL of the embedded stack; with the template database. */
export const postgres = new Shared(async () => {
  const given = givenDatabaseUrl() !== undefined;
  const server = await openPostgresServer();
  const template = await makeTemplate(server.url);
  publishDatabase(server.url, template);
  return {
    value: server.url,
    stop: async () => {
      withdrawDatabase(given);
      await dropDatabase(server.url, template);
      await server.stop();
    },
  };
});

/** TEST_TEMPORAL_ADDRESS, or a Temporal server found as the product finds it (spec 50), with its state in memory. */
export const temporal = new Shared(async () => {
  const given = givenTemporalAddress();
  if (given !== undefined) {
    await addSearchAttributes(given);
    return { value: given, stop: () => Promise.resolve() };
  }
  const { temporalAddress, ...config } = readConfig();
  if (temporalAddress !== undefined) {
    await addSearchAttributes(temporalAddress);
    publishTemporal(temporalAddress);
    return { value: temporalAddress, stop: () => Promise.resolve(withdrawTemporal(false)) };
  }
  const home = await testHome.use();
  const { file } = await findTemporal(config, say);
  const service = await prepareTemporal({ executable: file, logFile: logFileOf(home.home, 'temporal'), say });
  const server = await home.start('temporal', (spawned) => service.start(spawned));
  publishTemporal(service.address);
  return {
    value: service.address,
    stop: async () => {
      withdrawTemporal(false);
      await server.stop();
      await testHome.leave();
    },
  };
});
