import { Client } from 'pg';
import { eventHead, parseCursor, readEvents, type EventCursor } from '../../src/operations/queries/events';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';

/** Table `event`: what its triggers write, and in which order it is read (spec 50 `GET /events`). */
let database: TestDatabase;
let episode: TestEpisode;
let start: EventCursor;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  episode = await createTestEpisode(database.db);
  start = await eventHead(database.db);
});

/** The head that `beforeEach` read may stand before the episode's own first events: of those, none here. */
async function newEvents(after = start) {
  return (await readEvents(database.db, after, { episode, limit: 1_000 })).filter(({ kind }) => kind === 'step');
}

/** Another session of this server may hold the readers back for a moment, as any long transaction does. */
async function untilRead(count: number): Promise<Awaited<ReturnType<typeof newEvents>>> {
  return eventually(`${count} events can be read`, async () => {
    const events = await newEvents();
    return events.length >= count ? events : null;
  });
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

test('every change of state and progress is an event, a mere heartbeat none', async () => {
  await episode.insert('world_guide', { run_id: 'r1', heartbeat_at: 'a', completed_count: 0 });
  await episode.patch('world_guide', { completed_count: 1 });
  await episode.patch('world_guide', { heartbeat_at: 'b' });
  await episode.patch('world_guide', { heartbeat_at: 'c', updated_at: 'now' });
  await episode.patch('world_guide', { cancel_requested_at: 'now' });
  await episode.patch('world_guide', { status: 'completed', heartbeat_at: 'd' });
  expect((await untilRead(4)).map((event) => [event.status, event.completedCount, event.cancelRequestedAt])).toEqual([
    ['running', 0, null],
    ['running', 1, null],
    ['running', 1, 'now'],
    ['completed', 1, 'now'],
  ]);
});

test('an event is small whatever stands in the row, which keeps its message whole', async () => {
  const message = 'é'.repeat(100_000);
  await episode.insert('world_guide', { status: 'failed', error_message: message, last_recovery_reason: message });
  const [event] = await untilRead(1);
  expect([event?.errorMessage, event?.lastRecoveryReason]).toEqual([message.slice(0, 2_000), message.slice(0, 2_000)]);
  expect((await episode.row('world_guide')).error_message).toBe(message);
});

test('a run that opens and ends is told, with its state', async () => {
  await episode.endRun();
  const events = await eventually('both can be read', async () => {
    const all = await readEvents(database.db, { xid: 0n, id: 0n }, { episode, limit: 10 });
    return all.length === 2 ? all : null;
  });
  expect(events.map(({ status, workflow }) => [status, workflow?.runId])).toEqual([
    ['open', episode.runId],
    ['failed', episode.runId],
  ]);
});

test('a program that may write step_run and nothing else of ours is not stopped, and its change is told', async () => {
  const admin = await connect();
  const role = `writer_${process.pid}_${Math.trunc(performance.now())}`;
  await admin.query(`CREATE ROLE ${role}; GRANT SELECT, INSERT, UPDATE ON step_run TO ${role}; SET ROLE ${role}`);
  try {
    await expect(admin.query('SELECT FROM event')).rejects.toThrow('permission denied');
    await admin.query(
      `INSERT INTO step_run (id, project_id, episode_id, step_id, status, created_at, updated_at) VALUES ($1, $2, $3, 'another step', 'pending', 'x', 'x')`,
      [role, episode.projectId, episode.episodeId],
    );
    await admin.query(`UPDATE step_run SET status = 'running' WHERE id = $1`, [role]);
  } finally {
    await admin.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await admin.end();
  }
  expect((await untilRead(2)).map(({ stepId, status }) => [stepId, status])).toEqual([
    ['another step', 'pending'],
    ['another step', 'running'],
  ]);
});

test('a change that is rolled back is no event', async () => {
  const client = await connect();
  await client.query('BEGIN');
  await client.query(`UPDATE run SET state = 'failed' WHERE project_id = $1`, [episode.projectId]);
  await client.query('ROLLBACK');
  await client.end();
  await episode.endRun();
  const all = await eventually('what came after it can be read', async () => {
    const events = await readEvents(database.db, { xid: 0n, id: 0n }, { episode, limit: 10 });
    return events.length > 1 ? events : null;
  });
  expect(all.map(({ status, completedAt }) => [status, completedAt === null])).toEqual([
    ['open', true],
    ['failed', false],
  ]);
});

test('whoever commits late is not missed: its event comes later, however early its number', async () => {
  await episode.insert('world_guide', { status: 'pending' });
  await episode.insert('shot_selection', { status: 'pending' });
  await episode.insert('entity_t2i', { status: 'pending' });
  const [early, late] = [await connect(), await connect()];
  const change = (client: Client, step: string) =>
    client.query(`UPDATE step_run SET status = 'running' WHERE project_id = $1 AND step_id = $2`, [
      episode.projectId,
      step,
    ]);
  const before = (await untilRead(3)).length;

  // The late one takes its transaction first, and the early one its number first.
  await late.query('BEGIN');
  await late.query('SELECT pg_current_xact_id()');
  await early.query('BEGIN');
  await change(early, 'world_guide');
  await change(late, 'shot_selection');
  await early.query('COMMIT');
  await change(early, 'entity_t2i');

  const whileOpen = await newEvents();
  expect(whileOpen).toHaveLength(before);
  await late.query('COMMIT');
  const seen = await untilRead(before + 3);
  expect(seen.slice(before).map(({ stepId }) => stepId)).toEqual(['shot_selection', 'world_guide', 'entity_t2i']);

  // A reader that follows its cursor reads each once, wherever it stands.
  for (const event of seen) {
    const rest = await newEvents(parseCursor(event.id));
    expect(rest).toEqual(seen.slice(seen.indexOf(event) + 1));
  }
  await Promise.all([early.end(), late.end()]);
});

test('a text that is no cursor is none, and neither is a number that PostgreSQL cannot hold', () => {
  expect(
    [
      '',
      '-',
      '1',
      '1-',
      '-1',
      '01-1',
      '1-1x',
      '1-1-1',
      ' 1-1',
      `9${'0'.repeat(18)}9-1`,
      '9223372036854775808-0',
      "1-1'; DROP TABLE event",
    ].map(parseCursor),
  ).toEqual(Array(12).fill(undefined));
  expect(parseCursor('9223372036854775807-0')).toEqual({ xid: 2n ** 63n - 1n, id: 0n });
});
