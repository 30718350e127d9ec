import { Socket } from 'node:net';
import { sql } from 'kysely';
import { withDatabaseErrors } from '../../src/db/errors';
import { listen, type Listening } from '../../src/db/listen';
import { migrateDatabase } from '../../src/db/migrate';
import { openDatabase, type OpenDatabase } from '../../src/db/pool';
import { shortTransaction } from '../../src/db/transaction';
import { openCuttableLink, type CuttableLink } from '../support/cuttable-link';
import { createTestDatabase, rawTestDatabase, type TestDatabase } from '../support/database';

const LIMIT_MS = 800;
const away = { code: 'db.unavailable', message: expect.stringContaining('Query read timeout') as string };

describe('a network that swallows packets', () => {
  let database: TestDatabase;
  let link: CuttableLink;
  let open: OpenDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    link = await openCuttableLink(database.url);
  });
  afterAll(async () => {
    await link.close();
    await database.drop();
  });
  beforeEach(async () => {
    link.mend();
    // One connection: what is given back broken is what the next one gets.
    open = openDatabase(link.url, 1, () => undefined, { query_timeout: LIMIT_MS, connectionTimeoutMillis: LIMIT_MS });
    await sql`SELECT 1`.execute(open.db);
  });
  afterEach(() => open.close());

  const ask = (what: string) => withDatabaseErrors('Asking', () => sql`SELECT ${what}::text AS said`.execute(open.db));
  const answers = async (what: string): Promise<void> => {
    const startMs = performance.now();
    await expect(ask(what)).resolves.toMatchObject({ rows: [{ said: what }] });
    expect(performance.now() - startMs).toBeLessThan(LIMIT_MS);
  };

  it('ends a statement as db.unavailable, and the next one gets another connection', async () => {
    link.swallow();
    await expect(ask('lost')).rejects.toMatchObject(away);
    link.mend();
    await answers('found');
  });

  it.each(['begin', 'statement', 'commit'])(
    'ends a transaction whose %s has no answer, without waiting for the rollback as well',
    async (unanswered) => {
      const startMs = performance.now();
      if (unanswered === 'begin') link.swallow();
      const lost = shortTransaction(open.db, 'Writing', async (tx) => {
        if (unanswered === 'statement') link.swallow();
        await sql`SELECT 1`.execute(tx);
        if (unanswered === 'commit') link.swallow();
      });
      await expect(lost).rejects.toMatchObject(away);
      expect(performance.now() - startMs).toBeLessThan(1.8 * LIMIT_MS);
      link.mend();
      await answers('found');
    },
  );

  it('leaves the other connections of the pool alone', async () => {
    const two = openDatabase(link.url, 2, () => undefined, { query_timeout: LIMIT_MS });
    const pidIn = (db: OpenDatabase['db']) => sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    try {
      await two.db.transaction().execute(async (tx) => {
        const before = (await pidIn(tx)).rows;
        await expect(sql`SELECT pg_sleep(2)`.execute(two.db)).rejects.toThrow('Query read timeout');
        expect((await pidIn(tx)).rows).toEqual(before);
      });
    } finally {
      await two.close();
    }
  });
});

describe('the limits of a connection', () => {
  let raw: TestDatabase;

  beforeAll(async () => {
    raw = await rawTestDatabase();
  });
  afterAll(() => raw.drop());

  const limitIn = sql<{ limit: string }>`SELECT current_setting('statement_timeout') AS "limit"`;

  it("are the server's own, a little shorter, so that what is given up does not go on there", async () => {
    expect((await limitIn.execute(raw.db)).rows).toEqual([{ limit: '55s' }]);
  });

  it('ask after 10 s of silence whether the other end is there, not after the two hours of the system', async () => {
    const asks = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const open = openDatabase(raw.url, 1, () => undefined);
    let listening: Listening | undefined;
    try {
      await limitIn.execute(open.db);
      await new Promise<void>((onNotice) => {
        listening = listen({ databaseUrl: raw.url, channel: 'news', onNotice, onLost: () => undefined });
      });
      expect(asks.mock.calls).toEqual([
        [true, 10_000],
        [true, 10_000],
      ]);
    } finally {
      asks.mockRestore();
      await listening?.stop();
      await open.close();
    }
  });

  it('are not those of a migration: it takes as long as it takes', async () => {
    await sql`CREATE TABLE seen ("limit" text)`.execute(raw.db);
    await sql`CREATE FUNCTION see() RETURNS event_trigger LANGUAGE plpgsql
      AS $$ BEGIN INSERT INTO public.seen VALUES (current_setting('statement_timeout')); END $$`.execute(raw.db);
    await sql`CREATE EVENT TRIGGER seeing ON ddl_command_end EXECUTE FUNCTION see()`.execute(raw.db);
    expect(await migrateDatabase(raw.url)).not.toEqual([]);
    const seen = await sql<{ limit: string }>`SELECT DISTINCT "limit" FROM seen`.execute(raw.db);
    expect(seen.rows).toEqual([{ limit: '0' }]);
  });
});
