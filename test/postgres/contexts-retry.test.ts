import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openContextDoors, type ContextDoors } from '../support/context-doors';
import { openFakeAiService, type FakeAiService } from '../support/fake-ai-service';
import { emptyContexts, stateOf, statusesOf } from '../support/rescan';

let database: TestDatabase;
let service: FakeAiService;
let doors: ContextDoors;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await openFakeAiService();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(async () => {
  await emptyContexts(database.db);
  service.reset();
  doors = openContextDoors(database.db, service.settings());
});
afterEach(async () => {
  await doors.settled();
  await emptyContexts(database.db);
});

const note = { projectId: 'harbour', title: 'Fog', body: 'It rolls in at five.', by: 'tester' };

describe('asking again by hand', () => {
  const fail = (id: string, changes: string) =>
    sql`UPDATE ai.context_ai_state SET ${sql.raw(changes)} WHERE context_id = ${id}`.execute(database.db);

  it('gives the whole allowance back, asks at once for what failed, and keeps why it had failed in the audit', async () => {
    const { id } = await doors.contexts.create(note);
    await doors.settled();
    await fail(
      id,
      "embedding_status = 'COMPLETED', summary_status = 'FAILED', retry_count = 3, last_failure = 'HTTP 500'",
    );
    const { retried } = await doors.rescan.retry({ id, by: 'tester' });
    expect(retried).toMatchObject([
      { id, stages: { embedding: 'COMPLETED', summary: 'PENDING' }, retryCount: 0, lastFailure: null },
    ]);
    await doors.settled();
    expect(service.asked.at(-1)?.request.stages).toEqual(['summary']);
    expect((await stateOf(database.db, id)).ageSeconds).toBeLessThan(60);
    const audited = await database.db
      .selectFrom('audit')
      .select(['act', 'by', 'details'])
      .where('act', '=', 'context.retry')
      .executeTakeFirstOrThrow();
    expect([audited.by, JSON.parse(audited.details)]).toEqual([
      'tester',
      expect.objectContaining({ context: id, retryCount: 3, lastFailure: 'HTTP 500' }),
    ]);
  });

  it('also takes up a stage that was still owed beside the failed one, and leaves a CANCELLED one', async () => {
    const { id } = await doors.contexts.create(note);
    await fail(id, "embedding_status = 'FAILED', summary_status = 'PROCESSING'");
    expect((await doors.rescan.retry({ id, by: 'tester' })).retried[0]?.stages).toEqual({
      embedding: 'PENDING',
      summary: 'PENDING',
    });
    await fail(id, "embedding_status = 'FAILED', summary_status = 'CANCELLED'");
    expect((await doors.rescan.retry({ id, by: 'tester' })).retried[0]?.stages).toEqual({
      embedding: 'PENDING',
      summary: 'CANCELLED',
    });
  });

  it('is refused for what has not failed, was deleted, or was never there', async () => {
    const { id } = await doors.contexts.create(note);
    await expect(doors.rescan.retry({ id, by: 'tester' })).rejects.toEqual(
      expect.objectContaining({ code: 'context.not_failed' }),
    );
    await fail(id, "embedding_status = 'FAILED'");
    await doors.contexts.remove({ id, by: 'tester' });
    await expect(doors.rescan.retry({ id, by: 'tester' })).rejects.toEqual(
      expect.objectContaining({ code: 'context.unknown' }),
    );
    await expect(doors.rescan.retry({ id: '-1', by: 'tester' })).rejects.toEqual(
      expect.objectContaining({ code: 'context.unknown' }),
    );
  });

  it('of all takes the failed ones of one project, and no other', async () => {
    const ids = [];
    for (const projectId of ['harbour', 'harbour', 'elsewhere'])
      ids.push((await doors.contexts.create({ ...note, projectId })).id);
    const [failed, healthy, elsewhere] = ids as [string, string, string];
    await fail(failed, "summary_status = 'FAILED'");
    await fail(elsewhere, "summary_status = 'FAILED'");
    expect((await doors.rescan.retryAll({ projectId: 'harbour', by: 'tester' })).retried.map(({ id }) => id)).toEqual([
      failed,
    ]);
    expect(await statusesOf(database.db, healthy)).toBe('PENDING/PENDING');
    expect(await statusesOf(database.db, elsewhere)).toBe('PENDING/FAILED');
  });
});
