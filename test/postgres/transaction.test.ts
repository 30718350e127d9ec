import { sql } from 'kysely';
import { shortTransaction } from '../../src/db/transaction';
import { createTestDatabase, type TestDatabase } from '../support/database';

describe('a short transaction', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const limits = sql<{ lock: string; idle: string }>`
    SELECT current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`;

  it('waits 5 s for a lock, is ended where its process says nothing for 10 s, and leaves the connection as it was', async () => {
    const before = (await limits.execute(database.db)).rows[0];
    const inside = await shortTransaction(database.db, 'Looking', async (tx) => (await limits.execute(tx)).rows[0]);
    expect(inside).toEqual({ lock: '5s', idle: '10s' });
    expect((await limits.execute(database.db)).rows[0]).toEqual(before);
  });

  it('that the server ended, since its process hung inside of it, is db.unavailable; its locks are free, and the next one goes on', async () => {
    const row = { project_id: 'p', settings: '{}' };
    await database.db.insertInto('project_config').values(row).execute();
    const lockRow = sql`SELECT 1 FROM project_config WHERE project_id = 'p' FOR UPDATE`;
    const hung = shortTransaction(database.db, 'Hanging', async (tx) => {
      await lockRow.execute(tx);
      await sql`SET LOCAL idle_in_transaction_session_timeout = '20ms'`.execute(tx);
      // Another one gets the lock only when the server has taken it from this one.
      await shortTransaction(database.db, 'Waiting', (other) => lockRow.execute(other));
      await lockRow.execute(tx);
    });
    await expect(hung).rejects.toMatchObject({ code: 'db.unavailable' });
    await shortTransaction(database.db, 'Going on', (tx) => lockRow.execute(tx));
  });
});
