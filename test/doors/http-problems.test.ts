import net from 'node:net';
import { Client } from 'pg';
import { call } from '../http/call';
import { openHttp, type OpenHttp } from '../http/open-http';

/** What goes wrong, and ids of every form, over real sockets (cases C35). Temporal is not there. */
let open: OpenHttp;
beforeAll(async () => {
  open = await openHttp();
});
afterAll(() => open.close());

describe('problems', () => {
  const url = (rest: string) => `${open.url}/api/v1${rest}`;

  it('are problem+json with a code and what to do next, whoever found them', async () => {
    const json = { 'content-type': 'application/json' };
    const answers = await Promise.all([
      call('GET', url('/nothing')),
      call('POST', url('/locks')),
      call('PUT', url('/projects/p/config'), { body: '{', headers: json }),
      call('PUT', url('/projects/p/config'), { body: '{"__proto__": {"style": "x"}}', headers: json }),
      call('PUT', url('/projects/p/config'), { body: new Uint8Array([0x7b, 0xff]), headers: json }),
      call('PUT', url('/projects/p/config'), { body: { style: 'x', nonsense: 1 } }),
      call('PUT', url('/projects/p/config'), {
        body: 'style=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      call('PUT', url('/projects/p/config'), { body: JSON.stringify({ style: 'x'.repeat(600_000) }), headers: json }),
      call('GET', url('/locks?nonsense=1')),
      call('POST', url('/projects/p/episodes/e/steps/cancel-all'), { body: { nonsense: 1 } }),
      call('PUT', url('/projects/p/episodes/e'), { body: { a: 1 } }),
      call('PUT', url('/projects/p/episodes/e'), { body: ' \n', headers: { 'content-type': 'text/plain' } }),
      call('GET', url('/projects/%ff/config')),
      call('POST', url('/projects/p/episodes/e/steps/nonsense/run')),
      call('POST', url('/projects/p/episodes/e/steps/run-all')),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'http.not_found'],
      [405, 'http.method_not_allowed'],
      [400, 'input.invalid'],
      [400, 'input.invalid'],
      [400, 'input.invalid'],
      [400, 'input.invalid'],
      [415, 'http.unsupported_media_type'],
      [413, 'http.body_too_large'],
      [400, 'input.invalid'],
      [400, 'input.invalid'],
      [415, 'http.unsupported_media_type'],
      [400, 'screenplay.empty'],
      [400, 'http.malformed'],
      [404, 'step.unknown'],
      [404, 'episode.unknown'],
    ]);
    for (const { type, body, status } of answers) {
      expect(type).toMatch(/^application\/problem\+json/);
      expect(body).toEqual(
        expect.objectContaining({
          title: expect.any(String),
          detail: expect.any(String),
          next: expect.any(String),
          status,
        }),
      );
    }
  });

  it('are so even for what is no HTTP, and for headers without an end', async () => {
    const spoken = (text: string) =>
      new Promise<string>((resolve) => {
        let heard = '';
        const socket = net.connect(Number(new URL(open.url).port), '127.0.0.1', () => socket.write(text));
        socket.on('data', (bytes) => (heard += String(bytes)));
        socket.on('error', () => undefined);
        socket.once('close', () => resolve(heard));
      });
    expect(await spoken('nonsense\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*application\/problem\+json[^]*"code":"http\.malformed"/,
    );
    expect(await spoken(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [^]*"code":"http\.headers_too_large"/,
    );
  });

  it('of the database say 503, and the readiness names it while the process still lives', async () => {
    const other = await openHttp();
    await other.db.destroy();
    const server = new Client({ connectionString: other.databaseUrl.replace(/\/[^/]+$/, '/postgres') });
    await server.connect();
    const name = new URL(other.databaseUrl).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await server.end();
    const ready = await call<{ ready: boolean; checks: { name: string; ok: boolean }[] }>('GET', `${other.url}/readyz`);
    expect([ready.status, ready.body.checks.find((check) => check.name === 'database')?.ok]).toEqual([503, false]);
    expect((await call('GET', `${other.url}/healthz`)).status).toBe(200);
    await other.close();
  });
});

test('ids that would walk out of a folder name nothing: refused where something is made, unknown where something is read', async () => {
  const odd = [
    '..%2f..%2fetc',
    'a%2fb',
    'a%5cb',
    '.',
    '%00',
    'r1%00.png',
    'x'.repeat(65),
    'x'.repeat(300),
    '%2e%2e',
    '-a',
    'a%20b',
  ];
  for (const id of odd) {
    const put = await call('PUT', `${open.url}/api/v1/projects/p/episodes/${id}`, {
      body: 'INT. A - DAY\n\nB.',
      headers: { 'content-type': 'text/plain' },
    });
    expect([400, 404, 405]).toContain(put.status);
    expect([400, 404]).toContain((await call('GET', `${open.url}/api/v1/projects/p/episodes/${id}`)).status);
    expect([400, 404]).toContain((await call('GET', `${open.url}/api/v1/projects/p/episodes/e/images/${id}`)).status);
  }
  expect(await open.db.selectFrom('episode').selectAll().execute()).toEqual([]);
});

test('an id that another program has written is read, judged and repaired, percent-encoded and up to 256 characters', async () => {
  const [project, episode, step] = ['old/projekt ä', `${'🎬'.repeat(50)} …`, 'a step that is gone'];
  const now = '2026-03-25 04:12:11.123456+00';
  await open.db
    .insertInto('step_run')
    .values({
      id: 'row/1',
      project_id: project,
      episode_id: episode,
      step_id: step,
      status: 'running',
      started_at: '2020-01-01T00:00:00Z',
      created_at: now,
      updated_at: now,
      recovery_count: 0,
    })
    .execute();
  const of = (rest: string) =>
    `${open.url}/api/v1/projects/${encodeURIComponent(project)}/episodes/${encodeURIComponent(episode)}${rest}`;
  const state = await call<{ steps: { stepId: string }[] }>('GET', of(''));
  expect(state.body.steps.map(({ stepId }) => stepId)).toContain(step);
  const locks = await call<{ locks: { id: string; verdict: string }[] }>('GET', of('/steps/locks'));
  expect(locks.body.locks.map(({ id, verdict }) => [id, verdict])).toEqual([['row/1', 'dead']]);
  expect((await call<{ stale: unknown[] }>('GET', `${open.url}/api/v1/audit`)).body.stale).toHaveLength(1);
  expect((await call('POST', of(`/steps/${encodeURIComponent(step)}/cancel`))).status).toBe(202);
  expect((await call('GET', of(`/steps/${encodeURIComponent(step)}/explain`))).status).toBe(200);
  expect(
    (
      await call('POST', `${open.url}/api/v1/locks/${encodeURIComponent('row/1')}/release`, {
        body: { reason: 'gone' },
      })
    ).status,
  ).toBe(200);
  expect((await call('POST', of(`/steps/${encodeURIComponent(step)}/release`))).body.code).toBe('step.not_running');
});
