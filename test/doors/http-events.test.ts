import net from 'node:net';
import { sql } from 'kysely';
import { isAfter, parseCursor } from '../../src/operations/queries/events';
import { call } from '../http/call';
import { EventReader } from '../http/event-reader';
import { openHttp, type OpenHttp } from '../http/open-http';
import { eventually } from '../support/eventually';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';

/** Server-sent events over real sockets, with clients that are lost, slow, or dead (spec 50 `GET /events`). */
let api: OpenHttp;
let episode: TestEpisode;
let url: string;
const opened: EventReader[] = [];

beforeAll(async () => {
  api = await openHttp({ eventTimes: { beatMs: 200, stalledMs: 60_000 }, limits: { frames: 50, bytes: 1_000_000 } });
});
afterAll(() => api.close());
beforeEach(async () => {
  episode = await createTestEpisode(api.db);
  url = `${api.url}/api/v1/projects/${episode.projectId}/episodes/${episode.episodeId}/events`;
});
afterEach(() => {
  for (const reader of opened.splice(0)) reader.close();
});

function read(lastEventId?: string, from = url): EventReader {
  const reader = new EventReader(from, { lastEventId });
  opened.push(reader);
  return reader;
}

/** Changes a step so often, each change to be told apart. */
async function change(times: number, from = 0): Promise<void> {
  for (let count = from; count < from + times; count += 1)
    await episode.patch('world_guide', { completed_count: count });
}

const counts = (reader: EventReader) =>
  reader.events.filter(({ event }) => event === 'step').map(({ data }) => data['completedCount']);
const upTo = (times: number) => Array.from({ length: times }, (_, count) => count);

test('begins with the state of all, and goes on with each change, in order', async () => {
  await episode.insert('world_guide', { status: 'running', completed_count: -1 });
  const reader = read();
  const state = await reader.until('the state', ({ event }) => event === 'state');
  expect(state.data).toEqual((await call('GET', url.replace('/events', ''))).body);
  await change(20);
  await reader.until('the last change', ({ data }) => data['completedCount'] === 19);
  expect(counts(reader).slice(-20)).toEqual(upTo(20));
});

test('a client that comes back with its last id has missed nothing and gets nothing twice, near or far behind', async () => {
  await episode.insert('world_guide', { status: 'running', completed_count: -1 });
  const first = read();
  await first.until('the state', ({ event }) => event === 'state');
  await change(3);
  await first.until('the third', ({ data }) => data['completedCount'] === 2);
  first.close();
  const { lastId } = first;

  await change(5, 3); // what the process still has at hand
  const near = read(lastId);
  await near.until('the eighth', ({ data }) => data['completedCount'] === 7);
  expect([near.events[0]?.event, counts(near)]).toEqual(['step', [3, 4, 5, 6, 7]]);

  await change(700, 8); // more than it has, and more than a page
  const far = read(lastId);
  await far.until('the last', ({ data }) => data['completedCount'] === 707);
  expect(counts(far)).toEqual(upTo(708).slice(3));
});

test('an id of another database, or none at all, begins anew with the state', async () => {
  for (const id of ['999999999999-1', 'nonsense', "' OR 1=1"]) {
    const reader = read(id);
    await reader.until('the state', ({ event }) => event === 'state');
  }
});

test('what nobody gave notice of is found all the same: the poll is the net', async () => {
  await episode.insert('world_guide', { status: 'running', completed_count: -1 });
  const reader = read();
  await reader.until('the state', ({ event }) => event === 'state');
  const { beats } = reader;
  await eventually('it has been quiet for longer than a notice is followed up', () => reader.beats > beats + 10);
  // No trigger stands on this table, so that nothing notifies.
  await sql`INSERT INTO event (kind, project_id, episode_id, step_id, status) VALUES ('step', ${episode.projectId}, ${episode.episodeId}, 'silent', 'running')`.execute(
    api.db,
  );
  await reader.until('the silent one', ({ data }) => data['stepId'] === 'silent');
});

test('a listener that was cut off listens again, and what was written meanwhile is told', async () => {
  await episode.insert('world_guide', { status: 'running', completed_count: -1 });
  const reader = read();
  await reader.until('the state', ({ event }) => event === 'state');
  const listeners = () =>
    sql<{
      pid: number;
    }>`SELECT pid FROM pg_stat_activity WHERE application_name = 'callsheet listen' AND datname = current_database()`.execute(
      api.db,
    );
  const [before] = (await listeners()).rows;
  await sql`SELECT pg_terminate_backend(${before!.pid})`.execute(api.db);
  await change(3);
  await reader.until('the last change', ({ data }) => data['completedCount'] === 2);
  await eventually('another listens', async () => {
    const [now] = (await listeners()).rows;
    return now !== undefined && now.pid !== before!.pid;
  });
});

test('a quiet stream shows that it lives', async () => {
  const reader = read();
  await eventually('three beats', () => reader.beats >= 3);
});

test('an episode that nothing bears is 404, and not a stream', async () => {
  expect((await call('GET', url.replace(episode.projectId, 'nobody'))).body.code).toBe('episode.unknown');
});

test('two hundred clients that read nothing cost no memory to speak of, and keep nobody else from reading', async () => {
  await episode.insert('world_guide', { status: 'running', completed_count: -1 });
  const reader = read();
  const { id } = await reader.until('the state', ({ event }) => event === 'state');
  // 40 MB that each of them has missed: far more than the buffers of a socket take.
  await sql`
    INSERT INTO event (kind, project_id, episode_id, step_id, status, error_message)
    SELECT 'step', ${episode.projectId}, ${episode.episodeId}, 'old', 'running', repeat('x', 2000) FROM generate_series(1, 16000)`.execute(
    api.db,
  );
  const written = new Map<net.Socket, number>();
  api.server.server.on('connection', (socket: net.Socket) => written.set(socket, 0));
  const before = process.memoryUsage();
  const { pathname, port } = new URL(url);
  const slow = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = net.connect({ port: Number(port), host: '127.0.0.1' });
      socket.on('error', () => undefined);
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nLast-Event-ID: ${id}\r\n\r\n`);
      await new Promise<void>((resolve) => socket.once('readable', () => resolve()));
      return socket.pause(); // it never reads: its buffers fill, and then the server has to wait
    }),
  );
  await change(20);
  await reader.until('the last change', ({ data }) => data['completedCount'] === 19);
  expect(counts(reader).slice(-20)).toEqual(upTo(20));

  let still = 0;
  let sum = -1;
  await eventually('all two hundred are waited for', () => {
    const now = [...written.keys()].reduce((total, socket) => total + socket.bytesWritten, 0);
    still = now === sum ? still + 1 : 0;
    sum = now;
    return still >= 20;
  });
  const after = process.memoryUsage();
  expect(after.external + after.heapUsed - before.external - before.heapUsed).toBeLessThan(250_000_000);
  // They hold no connection to the database either, so the workers' share of it is what it was.
  const { rows } = await sql<{
    held: string;
  }>`SELECT count(*) AS held FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'callsheet%'`.execute(
    api.db,
  );
  expect(Number(rows[0]?.held)).toBeLessThan(25);
  expect(slow.filter((socket) => !socket.destroyed).length).toBe(200);
  for (const socket of slow) socket.destroy();
  await eventually('the streams are closed', async () =>
    /^callsheet_http_event_streams 1$/m.test((await call<string>('GET', `${api.url}/metrics`)).body),
  );
});

describe('with little patience', () => {
  let strict: OpenHttp;
  beforeAll(async () => {
    strict = await openHttp({ eventTimes: { beatMs: 200, stalledMs: 300 }, eventStreams: 2 });
  });
  afterAll(() => strict.close());

  test('a client that takes nothing is cut off; back with its last id, it goes on where it was', async () => {
    const own = await createTestEpisode(strict.db);
    await own.insert('world_guide', { status: 'running', completed_count: -1 });
    const address = `${strict.url}/api/v1/projects/${own.projectId}/episodes/${own.episodeId}/events`;
    const { pathname, port } = new URL(address);
    const socket = net.connect({ port: Number(port), host: '127.0.0.1' });
    let heard = '';
    let closed = false;
    socket.on('error', () => undefined);
    socket.once('close', () => (closed = true));
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    socket.on('data', (bytes) => {
      heard += String(bytes);
      if (heard.includes('event: state')) socket.pause();
    });
    await eventually('it has begun', () => socket.isPaused());
    await sql`
      INSERT INTO event (kind, project_id, episode_id, step_id, status, error_message)
      SELECT 'step', ${own.projectId}, ${own.episodeId}, 'old', 'running', repeat('x', 2000) FROM generate_series(1, 16000)`.execute(
      strict.db,
    );
    for (let count = 0; count < 20; count += 1) await own.patch('world_guide', { completed_count: count });
    await eventually('it was cut off', async () =>
      /^callsheet_http_event_streams 0$/m.test((await call<string>('GET', `${strict.url}/metrics`)).body),
    );
    expect(closed).toBe(false); // it has not even noticed: it reads nothing

    const lastId = /id: (\d+-\d+)\nevent: state/.exec(heard)?.[1];
    expect(isAfter(parseCursor(lastId ?? '')!, { xid: 0n, id: 0n })).toBe(true);
    const back = new EventReader(address, { lastEventId: lastId, comesBack: true });
    await back.until('the last change', ({ data }) => data['completedCount'] === 19);
    expect(counts(back).slice(-20)).toEqual(upTo(20));
    back.close();
    socket.destroy();
  });

  test('streams beyond what is allowed are refused, and those that are open go on', async () => {
    const own = await createTestEpisode(strict.db);
    const address = `${strict.url}/api/v1/projects/${own.projectId}/episodes/${own.episodeId}/events`;
    const two = [new EventReader(address), new EventReader(address)];
    for (const reader of two) await reader.until('the state', ({ event }) => event === 'state');
    const refused = await call('GET', address);
    expect([refused.status, refused.body.code]).toEqual([429, 'http.too_many_requests']);
    // In seconds, as the answer's `next` says.
    expect(refused.headers.get('retry-after')).toBe('5');
    await own.endRun();
    for (const reader of two)
      await reader.until('the end of the run', ({ event, data }) => event === 'run' && data['status'] === 'failed');
    two[0]!.close();
    await eventually('there is room again', async () => {
      const third = new EventReader(address);
      await eventually('an answer', () => third.status !== undefined);
      third.close();
      return third.status === 200;
    });
    two[1]!.close();
  });
});
