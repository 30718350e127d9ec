import pino from 'pino';
import { Client } from 'pg';
import { contextOf, holdStep, httpProviderOf, imageCall, openBench, rowsOf, type Bench } from '../support/buying';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { databaseServerUrl } from '../support/settings';
import { eventually } from '../support/eventually';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider';

/** Shuts one database for everybody, or opens it again, as an outage of the server would. */
async function shut(database: TestDatabase, isShut: boolean): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  const client = new Client({ connectionString: databaseServerUrl() });
  await client.connect();
  await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${!isShut}`);
  if (isShut) await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await client.end();
}

describe('a database that goes away', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let bench: Bench;
  let warnings: string[];

  const worker = () => {
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    return bench.worker({ log });
  };

  beforeEach(async () => {
    warnings = [];
    database = await createTestDatabase();
    fake = await startFakeProvider();
    bench = await openBench(database.db, httpProviderOf(fake));
  });
  afterEach(async () => {
    await shut(database, false);
    await fake.close();
    await bench.close();
    await database.drop();
  });

  it('while a paid call is in flight costs nothing: the answer is settled once it is back, and no second call is made', async () => {
    const held = await holdStep(database.db);
    fake.fail({ fault: 'hold' });
    const buying = worker().buy(contextOf(held), imageCall('shot-1'));
    await fake.arrived(1);
    await shut(database, true);
    fake.release();
    await eventually(
      'the settle is tried a second time',
      () => warnings.filter((line) => line.includes('Writing what came')).length > 1,
    );
    await shut(database, false);
    expect(await buying).toMatchObject({ outcome: 'bought' });
    expect(await rowsOf(database.db, held)).toMatchObject([{ status: 'settled' }]);
    expect(fake.seen).toHaveLength(1);
  });

  it('before a call leaves is waited for, and the call is made once', async () => {
    const held = await holdStep(database.db);
    await shut(database, true);
    const buying = worker().buy(contextOf(held), imageCall('shot-1'));
    await eventually('the look is tried a second time', () => warnings.length > 1);
    expect(fake.seen).toHaveLength(0);
    await shut(database, false);
    expect(await buying).toMatchObject({ outcome: 'bought' });
    expect(fake.seen).toHaveLength(1);
  });
});
