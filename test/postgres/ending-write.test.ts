import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { createTestEpisode } from '../support/test-episode';
import { openTestWorker } from '../support/test-worker';

describe('the write that ends a step', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    await sql`DROP TRIGGER IF EXISTS refuse ON step_run`.execute(database.db);
  });

  /** Every change of a row is refused from now on, as by a server that cannot for a while. */
  const refuse = async (state: string): Promise<void> => {
    await sql`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      ${sql.raw(`'BEGIN RAISE EXCEPTION USING ERRCODE = ''${state}'', MESSAGE = ''not now''; END'`)}`.execute(
      database.db,
    );
    await sql`CREATE TRIGGER refuse BEFORE UPDATE ON step_run FOR EACH ROW EXECUTE FUNCTION refuse()`.execute(
      database.db,
    );
  };

  it.each(['53100', '53200', '58030', '25006', '57014'])(
    'waits for a server that refuses with %s, and the run stays registered until it has landed',
    async (state) => {
      const episode = await createTestEpisode(database.db);
      const worker = openTestWorker(database.db);
      const inHand = worker.buyer.hold('all');
      const attempt = worker.attempt(episode, 'world_guide');
      const call = await inHand;
      await refuse(state);
      call.answer();
      await eventually('the write is tried again', () =>
        worker.logged.some(({ msg }) => msg === 'waiting for the database'),
      );
      expect(worker.registry.all()).toHaveLength(1);
      await sql`DROP TRIGGER refuse ON step_run`.execute(database.db);
      expect(await attempt).toMatchObject({ outcome: 'ended', status: 'completed' });
      expect(worker.registry.all()).toEqual([]);
    },
  );
});
