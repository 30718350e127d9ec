import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { openApiDocument } from '../../src/http/openapi/document';
import { allRoutes } from '../../src/http/routes/all-routes';
import type { Door } from '../../src/http/door';
import { call } from '../http/call';
import { openHttp, type OpenHttp } from '../http/open-http';

/** Who may do what, over real sockets (cases C47, C35). Temporal is not there, and nothing here needs it. */
const VIEWER = 'viewer-token-0123456789';
const OPERATOR = 'operator-token-0123456789';
const SERVICE = 'service-token-0123456789';
const TOKENS = [`eye:viewer:${VIEWER}`, `hand:operator:${OPERATOR}`, `ai:service:${SERVICE}`];

let closed: OpenHttp;
let open: OpenHttp;
beforeAll(async () => {
  [closed, open] = await Promise.all([openHttp({ tokens: TOKENS }), openHttp()]);
});
afterAll(() => Promise.all([closed.close(), open.close()]));

const door = { operations: {}, settings: {}, ending: new AbortController().signal } as unknown as Door;
const ROUTES = allRoutes(door).map(({ method, path: pattern, need, body, textBodyUpTo }) => ({
  method,
  need,
  hasBody: body !== undefined || textBodyUpTo !== undefined,
  path: pattern
    .replace('{hash}', 'a'.repeat(64))
    .replace(/\{(n|m|id)\}/g, '1')
    .replace('{stage}', 'summary')
    .replace('{act}', 'pause')
    .replace(/\{\w+\}/g, 'x'),
}));

describe.each(ROUTES)('$method $path', ({ method, path: target, need }) => {
  const asked = (token?: string, headers?: Record<string, string>) =>
    call(method, `${closed.url}${target}`, { token, headers });

  if (need === 'nobody')
    it('is open to all', async () => {
      expect([401, 403]).not.toContain((await asked()).status);
    });
  else {
    it('turns away who shows no token, a wrong one, a part of one, one in another form, and one in the address', async () => {
      const wrong = [
        undefined,
        'another-token-0123456789',
        OPERATOR.slice(0, -1),
        `${OPERATOR}x`,
        OPERATOR.toUpperCase(),
        SERVICE.slice(1),
      ];
      const answers = await Promise.all([
        ...wrong.map((token) => asked(token)),
        asked(undefined, { authorization: OPERATOR }),
        asked(undefined, { authorization: `Basic ${OPERATOR}` }),
        call(method, `${closed.url}${target}?token=${OPERATOR}&access_token=${OPERATOR}`),
      ]);
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [401, 'auth.required']));
      expect(answers[0].headers.get('www-authenticate')).toContain('Bearer');
    });

    it('lets in exactly the roles that may', async () => {
      const may = { viewer: [VIEWER, OPERATOR], operator: [OPERATOR], service: [SERVICE] }[need];
      for (const token of [VIEWER, OPERATOR, SERVICE]) {
        if (may.includes(token) && target.endsWith('/events')) continue; // its answer has no end, and the episode is unknown
        const { status, body } = await asked(token);
        if (may.includes(token)) expect([401, 403]).not.toContain(status);
        else expect([status, body.code]).toEqual([403, 'auth.forbidden']);
      }
    });
  }
});

test('what is not there is told to holders of a token only, and a method that is not there to nobody else', async () => {
  const url = `${closed.url}/api/v1/projects/p/episodes/e/steps`;
  expect((await call('GET', `${closed.url}/api/v1/nothing`)).body.code).toBe('auth.required');
  expect((await call('GET', `${closed.url}/api/v1/nothing`, { token: VIEWER })).body.code).toBe('http.not_found');
  expect((await call('DELETE', url)).body.code).toBe('auth.required');
  const wrongMethod = await call('DELETE', url, { token: VIEWER });
  expect([wrongMethod.status, wrongMethod.body.code, wrongMethod.headers.get('allow')]).toEqual([
    405,
    'http.method_not_allowed',
    'GET, HEAD',
  ]);
  const override = await call('GET', url, { token: VIEWER, headers: { 'x-http-method-override': 'PUT' } });
  expect(override.body.code).toBe('episode.unknown');
  expect((await call('GET', `${closed.url}//api/v1/locks`, { token: VIEWER })).status).toBe(404);
  expect((await call('GET', `${closed.url}/api/v1/locks/`)).status).toBe(401);
  expect((await fetch(`${closed.url}/api/v1/locks`, { method: 'HEAD' })).status).toBe(401);
});

test('the scheme is read in any case, as its standard has it', async () => {
  expect(
    (await call('GET', `${closed.url}/api/v1/locks`, { headers: { authorization: `bearer ${VIEWER}` } })).status,
  ).toBe(200);
});

test('no log line holds a token, wherever it was sent', async () => {
  await call('GET', `${closed.url}/api/v1/locks?token=${OPERATOR}`, { token: OPERATOR });
  await call('PUT', `${closed.url}/api/v1/projects/p/config`, {
    token: OPERATOR,
    body: 'not json',
    headers: { 'content-type': 'application/json' },
  });
  expect(closed.logged.join('')).toContain('answered');
  for (const token of [VIEWER, OPERATOR, SERVICE]) expect(closed.logged.join('')).not.toContain(token);
});

describe('without tokens, on loopback', () => {
  const rawStatus = (host: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      const { port } = new URL(open.url);
      const request = http.request({
        port,
        host: '127.0.0.1',
        method,
        path: method === 'GET' ? '/api/v1/locks' : '/api/v1/projects/p/episodes/e/steps/cancel-all',
        headers: { host, ...headers },
      });
      request.once('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.once('error', reject);
      request.end();
    });

  it('answers to the names of this machine, and to no name that a page of another site could have', async () => {
    expect(
      await Promise.all(
        ['127.0.0.1', 'localhost:1', 'LOCALHOST', '[::1]:80', '127.9.9.9'].map((host) => rawStatus(host)),
      ),
    ).toEqual([200, 200, 200, 200, 200]);
    expect(
      await Promise.all(
        ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '192.168.0.7', 'evil.example:80'].map(
          (host) => rawStatus(host),
        ),
      ),
    ).toEqual(Array(5).fill(421));
  });

  it('refuses what a page of another site sends in the name of the person at this machine', async () => {
    const { host } = new URL(open.url);
    expect(await rawStatus(host, { origin: 'http://evil.example' }, 'POST')).toBe(403);
    expect(await rawStatus(host, { 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
    expect(await rawStatus(host, { origin: 'null' }, 'POST')).toBe(403);
    // Nothing runs, and there is no Temporal to ask whether a run is queued: 503 comes from the act itself.
    expect(await rawStatus(host, { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, 'POST')).toBe(503);
    expect(await rawStatus(host, {}, 'POST')).toBe(503);
  });
});

test('answers carry the headers that keep a browser from making more of them', async () => {
  const { headers } = await call('GET', `${open.url}/api/v1/locks`);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('the page that reads the document needs nothing from outside, and the document is the one of the routes', async () => {
  const page = await call<string>('GET', `${closed.url}/api/docs`);
  expect([page.status, page.type]).toEqual([200, expect.stringContaining('text/html')]);
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
  );
  expect(page.body).not.toMatch(/<script|<link|<img|@import|url\(|(?:src|href)="(?:https?:)?\/\//i);
  for (const { operationId } of allRoutes(door)) expect(page.body).toContain(`id="${operationId}"`);
  const document = await call('GET', `${closed.url}/api/openapi.json`);
  expect(document.body).toEqual(
    JSON.parse(JSON.stringify(openApiDocument(allRoutes(door), { version: '0.0.0-test', withTokens: true }))),
  );
});

test('who asks too often waits; somebody with a token is not slowed by who guesses tokens', async () => {
  const limited = await openHttp({ tokens: TOKENS, requestsPerMinute: 5 });
  try {
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        call('GET', `${limited.url}/api/v1/locks`, { token: `guess-number-000000${at}` }),
      ),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const refused = guesses.find(({ status }) => status === 429)!;
    expect([refused.body.code, Number(refused.headers.get('retry-after')) > 0]).toEqual([
      'http.too_many_requests',
      true,
    ]);
    expect((await call('GET', `${limited.url}/api/v1/locks`, { token: VIEWER })).status).toBe(200);
    expect((await call('GET', `${limited.url}/healthz`)).status).toBe(200);
  } finally {
    await limited.close();
  }
});

test('the documentation of the API in the repository names every path', () => {
  const text = readFileSync(path.join(__dirname, '../../docs/http-api.md'), 'utf8');
  const missing = allRoutes(door).map(
    ({ method, path: pattern }) => `${method} ${pattern.replace('/api/v1/projects/{project}/episodes/{episode}', '…')}`,
  );
  expect(missing.filter((line) => !text.includes(`\`${line}\``))).toEqual([]);
});
