import { sql } from 'kysely';
import { contentHash } from '../../src/contexts/content-hash';
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
const hash = contentHash(note);
const embedding = { model: 'm', vector: [0.5, -0.5] };
const summary = { model: 'm', text: 'Fog at five.' };
const report = (id: string, stage: string, fields: object) =>
  doors.contexts.report({ id, stage, report: { contentHash: hash, ...fields } });

describe('a report', () => {
  it('of PROCESSING, then COMPLETED with a result, finishes its own stage and leaves the other one', async () => {
    const { id } = await doors.contexts.create(note);
    expect(await report(id, 'summary', { status: 'PROCESSING' })).toMatchObject({
      changed: true,
      status: 'PROCESSING',
    });
    expect(await report(id, 'summary', { status: 'COMPLETED', result: summary })).toMatchObject({
      changed: true,
      status: 'COMPLETED',
    });
    expect(await statusesOf(database.db, id)).toBe('PENDING/COMPLETED');
    expect((await doors.contexts.read(id)).summary).toBe('Fog at five.');
  });

  it('of a failure takes the stage back to PENDING and keeps the reason: only finalize writes FAILED', async () => {
    const { id } = await doors.contexts.create(note);
    await report(id, 'embedding', { status: 'PROCESSING' });
    expect(await report(id, 'embedding', { status: 'FAILED', reason: 'out\u0000 of memory' })).toMatchObject({
      changed: true,
      status: 'PENDING',
    });
    expect(await stateOf(database.db, id)).toMatchObject({
      embedding: 'PENDING',
      summary: 'PENDING',
      lastFailure: 'embedding failed: out\ufffd of memory',
      retryCount: 0,
    });
  });

  it('sets the time when a stage changes, and not for a failure alone', async () => {
    const { db } = database;
    const { id } = await doors.contexts.create(note);
    await doors.settled();
    await sql`UPDATE ai.context_ai_state SET updated_at = now() - interval '1 hour'`.execute(db);
    await report(id, 'embedding', { status: 'FAILED', reason: 'no' }); // PENDING stays PENDING
    expect((await stateOf(db, id)).ageSeconds).toBeGreaterThan(3_000);
    await report(id, 'embedding', { status: 'PROCESSING' });
    expect((await stateOf(db, id)).ageSeconds).toBeLessThan(60);
  });

  it('about other content changes nothing: neither stage nor failure nor time', async () => {
    const { id } = await doors.contexts.create(note);
    await doors.contexts.replace({ id, title: 'Fog', body: 'It has lifted.', by: 'tester' });
    await doors.settled();
    const before = await database.db.selectFrom('ai.context_ai_state').selectAll().execute();
    for (const fields of [
      { status: 'PROCESSING' },
      { status: 'COMPLETED', result: summary },
      { status: 'FAILED', reason: 'no' },
    ])
      expect(await report(id, 'summary', fields)).toMatchObject({
        changed: false,
        status: 'PENDING',
        why: 'the report is about other content',
      });
    expect(await database.db.selectFrom('ai.context_ai_state').selectAll().execute()).toEqual(before);
    expect(await database.db.selectFrom('ai.context_result').selectAll().execute()).toEqual([]);
  });

  it('of COMPLETED counts even after FAILED; one of PROCESSING does not', async () => {
    const { id } = await doors.contexts.create(note);
    await doors.settled();
    await sql`UPDATE ai.context_ai_state SET embedding_status = 'FAILED', summary_status = 'FAILED', retry_count = 3`.execute(
      database.db,
    );
    expect(await report(id, 'summary', { status: 'PROCESSING' })).toMatchObject({ changed: false, status: 'FAILED' });
    expect(await report(id, 'summary', { status: 'COMPLETED', result: summary })).toMatchObject({
      changed: true,
      status: 'COMPLETED',
    });
    expect(await statusesOf(database.db, id)).toBe('FAILED/COMPLETED');
  });

  it('never moves a COMPLETED or a CANCELLED stage', async () => {
    const { id } = await doors.contexts.create(note);
    await doors.settled();
    await sql`UPDATE ai.context_ai_state SET embedding_status = 'COMPLETED', summary_status = 'CANCELLED'`.execute(
      database.db,
    );
    for (const stage of ['embedding', 'summary'])
      for (const fields of [
        { status: 'PROCESSING' },
        { status: 'COMPLETED', result: stage === 'embedding' ? embedding : summary },
        { status: 'FAILED', reason: 'no' },
      ])
        expect(await report(id, stage, fields)).toMatchObject({ changed: false });
    expect(await stateOf(database.db, id)).toMatchObject({
      embedding: 'COMPLETED',
      summary: 'CANCELLED',
      lastFailure: null,
    });
  });

  it('that cannot be one is refused, and changes nothing', async () => {
    const { id } = await doors.contexts.create(note);
    const invalid = expect.objectContaining({ code: 'input.invalid' });
    await expect(report(id, 'drawing', { status: 'PROCESSING' })).rejects.toEqual(invalid);
    await expect(report(id, 'summary', { status: 'DONE' })).rejects.toEqual(invalid);
    await expect(report(id, 'summary', { status: 'COMPLETED', result: { model: 'm', text: '' } })).rejects.toEqual(
      invalid,
    );
    await expect(
      report(id, 'embedding', { status: 'COMPLETED', result: { model: 'm', vector: [NaN] } }),
    ).rejects.toEqual(invalid);
    await expect(report('12345', 'summary', { status: 'PROCESSING' })).rejects.toEqual(
      expect.objectContaining({ code: 'context.unknown' }),
    );
    await expect(report('99999999999999999999', 'summary', { status: 'PROCESSING' })).rejects.toEqual(
      expect.objectContaining({ code: 'context.unknown' }),
    );
    expect(await statusesOf(database.db, id)).toBe('PENDING/PENDING');
  });
});
