import { openDatabase, type Db } from '../../src/db/pool';
import { createDatabase, databaseUrl, dropDatabase, uniqueDatabaseName } from './database-server';
import { databaseServerUrl, databaseTemplate } from './settings';

export interface TestDatabase {
  readonly url: string;
  readonly db: Db;
  /** Closes `db` and drops the database, with whatever connections are left. */
  drop(): Promise<void>;
}

async function openTestDatabase(template?: string): Promise<TestDatabase> {
  const server = databaseServerUrl();
  const name = uniqueDatabaseName('test');
  await createDatabase(server, name, template);
  const url = databaseUrl(server, name);
  // A dropped idle connection is what some tests do on purpose; the next query fails and says so.
  const open = openDatabase(url, 10, () => undefined);
  return {
    url,
    db: open.db,
    drop: async () => {
      await open.close();
      await dropDatabase(server, name);
    },
  };
}

/** A database of its own with the schema of this release: one for each test file, dropped in `afterAll`. */
export function createTestDatabase(): Promise<TestDatabase> {
  return openTestDatabase(databaseTemplate());
}

/** An empty database, for tests of migrating. */
export function rawTestDatabase(): Promise<TestDatabase> {
  return openTestDatabase();
}
