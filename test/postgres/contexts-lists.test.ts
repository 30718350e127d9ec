import { sql } from 'kysely';
import { openContextDoors, type ContextDoors } from '../support/context-doors';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openFakeAiService, type FakeAiService } from '../support/fake-ai-service';
import { emptyContexts, putContext } from '../support/rescan';

let database: TestDatabase;
let service: FakeAiService;
let doors: ContextDoors;
beforeAll(async () => {
  [database, service] = await Promise.all([createTestDatabase(), openFakeAiService()]);
  doors = openContextDoors(database.db, service.settings());
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(() => emptyContexts(database.db));

/** What reads the thing under its own name fails meanwhile, and says so. */
async function withoutThe(thing: 'TABLE core.context' | 'COLUMN body', work: () => Promise<void>): Promise<void> {
  const rename = (from: string, to: string) =>
    thing === 'COLUMN body'
      ? sql`ALTER TABLE core.context RENAME COLUMN ${sql.id(from)} TO ${sql.id(to)}`.execute(database.db)
      : sql`ALTER TABLE core.${sql.id(from)} RENAME TO ${sql.id(to)}`.execute(database.db);
  const name = thing === 'COLUMN body' ? 'body' : 'context';
  await rename(name, 'hidden');
  try {
    await work();
  } finally {
    await rename('hidden', name);
  }
}

describe('the texts of contexts', () => {
  it('are read where one whole context is asked for, by no list and by no status', async () => {
    const id = await putContext(database.db, { embedding: 'FAILED', body: 'Fog comes at five.' });
    await withoutThe('COLUMN body', async () => {
      expect((await doors.contexts.list({ projectId: 'p' })).contexts.map((one) => one.id)).toEqual([id]);
      expect((await doors.rescan.status()).failed.map((one) => one.id)).toEqual([id]);
    });
    expect(await doors.contexts.read(id)).toMatchObject({ id, body: 'Fog comes at five.' });
  });

  it('and all else of contexts is left alone by a scrape of the metrics', async () => {
    await putContext(database.db, { embedding: 'FAILED' });
    await withoutThe('TABLE core.context', async () => {
      expect(await doors.rescan.metrics()).toContain('callsheet_context_stages{stage="embedding",status="FAILED"} 1');
    });
  });
});

describe('a list of contexts', () => {
  it('has the first ten thousand, or as many as are asked for', async () => {
    await sql`
      WITH made AS (
        INSERT INTO core.context (project_id, title, body) SELECT 'p', 'A note', 'Fog.' FROM generate_series(1, 10001) RETURNING id
      )
      INSERT INTO ai.context_ai_state (context_id, embedding_status) SELECT id, 'FAILED' FROM made`.execute(
      database.db,
    );
    expect((await doors.contexts.list({ projectId: 'p' })).contexts).toHaveLength(10_000);
    expect((await doors.contexts.list({ projectId: 'p', limit: 7 })).contexts).toHaveLength(7);
  });
});
