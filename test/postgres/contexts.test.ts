import { sql } from 'kysely';
import { contentHash } from '../../src/contexts/content-hash';
import { finishedSummaries } from '../../src/contexts/finished-summaries';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openContextDoors, type ContextDoors } from '../support/context-doors';
import { openFakeAiService, type FakeAiService } from '../support/fake-ai-service';
import { emptyContexts, stateOf, statusesOf } from '../support/rescan';
import { eventually } from '../support/eventually';

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

describe('creating a context', () => {
  it('writes both stages PENDING with no retry spent, and asks for both after its commit, which counts as no retry', async () => {
    let seenByService: string | undefined;
    service.answerWith(async ({ contextId }) => {
      seenByService = await statusesOf(database.db, contextId); // another connection: what it sees is committed
      return { status: 202 };
    });
    const created = await doors.contexts.create(note);
    expect(created).toMatchObject({
      projectId: 'harbour',
      title: 'Fog',
      stages: { embedding: 'PENDING', summary: 'PENDING' },
      retryCount: 0,
      summary: null,
    });
    await doors.settled();
    expect(seenByService).toBe('PENDING/PENDING');
    expect(service.asked[0]?.request).toMatchObject({
      contextId: created.id,
      contentHash: hash,
      stages: ['embedding', 'summary'],
    });
    expect(await stateOf(database.db, created.id)).toMatchObject({ retryCount: 0, lastFailure: null });
  });

  it('answers without waiting for a service that says nothing', async () => {
    service.answerWith(() => 'nothing');
    doors = openContextDoors(database.db, service.settings({ timeoutMs: 500 }));
    const { id } = await doors.contexts.create(note);
    await eventually('the service is asked', () => service.open() === 1);
    await doors.settled();
    expect((await stateOf(database.db, id)).lastFailure).toMatch(/^timeout/);
  });

  it('keeps the failure of a request that found the queue full, and asks for the others', async () => {
    service.answerWith(() => 'nothing');
    doors = openContextDoors(
      database.db,
      service.settings({ timeoutMs: 1_000, concurrentRequests: 1, queueLength: 1 }),
    );
    const created = [];
    for (const title of ['one', 'two', 'three']) created.push(await doors.contexts.create({ ...note, title }));
    await doors.settled();
    const failures = await Promise.all(
      created.map(async ({ id }) => (await stateOf(database.db, id)).lastFailure?.split(':')[0]),
    );
    expect(failures.sort()).toEqual(['queue_full', 'timeout', 'timeout']);
  });

  it('asks for what had to wait as things are when its turn has come: never for what was deleted, finished or replaced', async () => {
    let go = () => {};
    const first = new Promise<void>((resolve) => (go = resolve));
    service.answerWith(async () => {
      await first;
      return { status: 202 };
    });
    doors = openContextDoors(database.db, service.settings({ concurrentRequests: 1 }));
    const ids = [];
    for (const title of ['first', 'deleted', 'half', 'replaced'])
      ids.push((await doors.contexts.create({ ...note, title })).id);
    const [, deleted, half, replaced] = ids as [string, string, string, string];
    await eventually('the first is under way', () => service.open() === 1);
    await doors.contexts.remove({ id: deleted, by: 'tester' });
    await sql`UPDATE ai.context_ai_state SET summary_status = 'COMPLETED' WHERE context_id = ${half}`.execute(
      database.db,
    );
    await sql`UPDATE core.context SET body = 'It has lifted.' WHERE id = ${replaced}`.execute(database.db);
    go();
    await doors.settled();
    expect(service.asked.slice(1).map(({ request: { contextId, stages, body } }) => [contextId, stages, body])).toEqual(
      [
        [half, ['embedding'], note.body],
        [replaced, ['embedding', 'summary'], 'It has lifted.'],
      ],
    );
    expect(await stateOf(database.db, deleted)).toMatchObject({ summary: 'CANCELLED', lastFailure: null });
  });

  it('keeps neither context nor state where one of them cannot be written', async () => {
    await sql`ALTER TABLE ai.context_ai_state ADD CONSTRAINT in_the_way CHECK (context_id < 0)`.execute(database.db);
    try {
      await expect(doors.contexts.create(note)).rejects.toThrow(/in_the_way/);
    } finally {
      await sql`ALTER TABLE ai.context_ai_state DROP CONSTRAINT in_the_way`.execute(database.db);
    }
    expect(await database.db.selectFrom('core.context').selectAll().execute()).toEqual([]);
    expect(service.asked).toEqual([]);
  });

  it('refuses what is empty or too long, and replaces what PostgreSQL cannot hold before it is hashed', async () => {
    const invalid = expect.objectContaining({ code: 'input.invalid' });
    await expect(doors.contexts.create({ ...note, title: ' ' })).rejects.toEqual(invalid);
    await expect(doors.contexts.create({ ...note, body: '\n\t' })).rejects.toEqual(invalid);
    await expect(doors.contexts.create({ ...note, body: 'x'.repeat(500_001) })).rejects.toEqual(invalid);
    await expect(doors.contexts.create({ ...note, projectId: '../x' })).rejects.toEqual(
      expect.objectContaining({ code: 'id.invalid' }),
    );
    const { id } = await doors.contexts.create({ ...note, body: 'a\u0000b\ud800c' });
    await doors.settled();
    const whole = await doors.contexts.read(id);
    expect(whole.body).toBe('a\ufffdb\ufffdc');
    expect(service.asked.at(-1)?.request).toMatchObject({ body: whole.body, contentHash: whole.contentHash });
  });
});

describe('replacing a context', () => {
  it('asks for both stages anew with the whole allowance, and drops what came of the old content', async () => {
    const { id } = await doors.contexts.create(note);
    await report(id, 'summary', { status: 'COMPLETED', result: summary });
    await sql`UPDATE ai.context_ai_state SET embedding_status = 'FAILED', retry_count = 3, last_failure = 'old'`.execute(
      database.db,
    );
    await doors.settled();
    await doors.contexts.replace({ id, title: 'Fog', body: 'It has lifted.', by: 'tester' });
    await doors.settled();
    expect(await stateOf(database.db, id)).toMatchObject({
      embedding: 'PENDING',
      summary: 'PENDING',
      retryCount: 0,
      lastFailure: null,
    });
    expect(service.asked.at(-1)?.request).toMatchObject({ body: 'It has lifted.', stages: ['embedding', 'summary'] });
    expect(await finishedSummaries(database.db, 'harbour')).toEqual([]);
  });

  it('of what is not there, or was deleted, changes nothing', async () => {
    const { id } = await doors.contexts.create(note);
    await doors.contexts.remove({ id, by: 'tester' });
    const unknown = expect.objectContaining({ code: 'context.unknown' });
    await expect(doors.contexts.replace({ ...note, id })).rejects.toEqual(unknown);
    await expect(doors.contexts.replace({ ...note, id: '-7' })).rejects.toEqual(unknown);
    await expect(doors.contexts.remove({ id, by: 'tester' })).rejects.toEqual(unknown);
    expect(await statusesOf(database.db, id)).toBe('CANCELLED/CANCELLED');
  });
});

describe('deleting a context', () => {
  it('cancels what is unfinished, keeps what is finished or failed, and the world guide draws on it no more', async () => {
    const { id } = await doors.contexts.create(note);
    const other = await doors.contexts.create({ ...note, title: 'Other' });
    await report(id, 'summary', { status: 'COMPLETED', result: summary });
    expect(await finishedSummaries(database.db, 'harbour')).toEqual(['Fog at five.']);
    expect(await doors.contexts.remove({ id, by: 'tester' })).toMatchObject({
      id,
      stages: { embedding: 'CANCELLED', summary: 'COMPLETED' },
    });
    expect(await statusesOf(database.db, other.id)).toBe('PENDING/PENDING');
    expect(await finishedSummaries(database.db, 'harbour')).toEqual([]);
    expect(await report(id, 'embedding', { status: 'COMPLETED', result: embedding })).toMatchObject({
      changed: false,
      status: 'CANCELLED',
    });
    expect((await doors.contexts.list({ projectId: 'harbour' })).contexts.map((context) => context.id)).toEqual([
      other.id,
    ]);
  });
});

describe('finished summaries', () => {
  it("are a project's own, in the order of its contexts, however late each came", async () => {
    const ids = [];
    for (const title of ['first', 'second', 'third']) ids.push((await doors.contexts.create({ ...note, title })).id);
    await doors.contexts.create({ ...note, projectId: 'elsewhere' });
    for (const [index, id] of [...ids.entries()].reverse()) {
      const { contentHash: own } = await doors.contexts.read(id);
      if (index !== 1)
        await doors.contexts.report({
          id,
          stage: 'summary',
          report: { status: 'COMPLETED', contentHash: own, result: { model: 'm', text: `summary ${index}` } },
        });
    }
    expect(await finishedSummaries(database.db, 'harbour')).toEqual(['summary 0', 'summary 2']);
  });
});
