import { sql } from 'kysely';
import { rawTestDatabase, createTestDatabase, type TestDatabase } from '../support/database';

describe('test databases', () => {
  let cloned: TestDatabase;
  beforeAll(async () => {
    cloned = await createTestDatabase();
  });
  afterAll(() => cloned.drop());
  it('is there', async () => {
    const { rows } = await sql<{ n: string }>`select count(*) n from step_run`.execute(cloned.db);
    expect(rows[0]?.n).toBe('0');
    const raw = await rawTestDatabase();
    await raw.drop();
  });
});
