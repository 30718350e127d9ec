import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { embed } from '../../src/ai-service/embed';
import type { Report, Reporter } from '../../src/ai-service/reporter';
import { createAiService } from '../../src/ai-service/server';
import { summarize } from '../../src/ai-service/summarize';
import { eventually } from '../support/eventually';
import { keepingLog } from '../support/rescan';

describe('the AI service that ships', () => {
  let server: FastifyInstance;
  let url: string;
  let reports: string[];
  const headers = { authorization: 'Bearer the-secret', 'content-type': 'application/json' };
  const body = {
    requestId: 'r1',
    contextId: '7',
    projectId: 'p',
    title: 'Fog',
    body: 'Fog comes at five. The lamp is lit.',
    contentHash: 'h',
    stages: ['embedding', 'summary'],
  };
  const post = (path: string, payload: unknown, changes: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...changes },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(30_000),
    });

  beforeEach(async () => {
    reports = [];
    const reporter: Reporter = {
      report: async (_request, stage, report: Report) => {
        reports.push(`${stage} ${report.status}`);
        return true;
      },
    };
    server = createAiService({ secret: 'the-secret', reporter, log: keepingLog().log });
    await server.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());

  const said = (...lines: string[]) =>
    eventually(`it has reported ${lines.join(', ')}`, () => reports.join() === lines.join(), { withinMs: 10_000 });

  it('answers 202 and then reports each stage, before and after its work', async () => {
    expect((await post('/requests', body)).status).toBe(202);
    await said('embedding PROCESSING', 'embedding COMPLETED', 'summary PROCESSING', 'summary COMPLETED');
  });

  it('works on the stages that are asked for only', async () => {
    await post('/requests', { ...body, stages: ['summary'] });
    await said('summary PROCESSING', 'summary COMPLETED');
  });

  it.each([
    ['half', ['embedding PROCESSING', 'embedding COMPLETED', 'summary PROCESSING']],
    ['stall', ['embedding PROCESSING', 'summary PROCESSING']],
    ['fail', ['embedding PROCESSING', 'embedding FAILED', 'summary PROCESSING', 'summary FAILED']],
  ])('told to %s does so once, and serves the next request well', async (fault, lines) => {
    expect((await post('/faults', { fault, times: 1 })).status).toBe(201);
    expect((await post('/requests', body)).status).toBe(202);
    await said(...lines);
    reports.splice(0);
    await post('/requests', body);
    await said('embedding PROCESSING', 'embedding COMPLETED', 'summary PROCESSING', 'summary COMPLETED');
  });

  it('told to lose answers 202 and says nothing; another context is served meanwhile', async () => {
    await post('/faults', { fault: 'lose', contextId: '8' });
    expect((await post('/requests', { ...body, contextId: '8' })).status).toBe(202);
    await post('/requests', { ...body, stages: ['summary'] });
    await said('summary PROCESSING', 'summary COMPLETED');
  });

  it('told to refuse answers as it was told, until the faults are cleared', async () => {
    await post('/faults', { fault: 'refuse', status: 401 });
    expect((await post('/requests', body)).status).toBe(401);
    expect((await post('/requests', body)).status).toBe(401);
    expect(await (await fetch(`${url}/faults`, { headers })).json()).toMatchObject({
      faults: [{ fault: 'refuse', status: 401 }],
    });
    await fetch(`${url}/faults`, { method: 'DELETE', headers: { authorization: headers.authorization } });
    expect((await post('/requests', body)).status).toBe(202);
  });

  it('told to hang never answers, and can still be closed', async () => {
    await post('/faults', { fault: 'hang' });
    const giveUp = new AbortController();
    const hanging = fetch(`${url}/requests`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: giveUp.signal,
    }).catch(() => 'given up');
    await post('/faults', { fault: 'lose' }); // answered after the request that hangs had come
    giveUp.abort();
    expect(await hanging).toBe('given up');
    expect(reports).toEqual([]);
  });

  it('refuses who does not know the secret, whatever is asked, and anybody may ask whether it lives', async () => {
    for (const authorization of ['', 'Bearer wrong', 'Bearer  the-secret', 'bearer the-secret', 'the-secret'])
      expect((await post('/requests', body, { authorization })).status).toBe(401);
    expect((await post('/faults', { fault: 'lose' }, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(reports).toEqual([]);
  });

  it('refuses what is no request', async () => {
    for (const wrong of [
      {},
      { ...body, stages: [] },
      { ...body, stages: ['drawing'] },
      { ...body, contextId: '../1' },
      { ...body, more: 1 },
    ])
      expect((await post('/requests', wrong)).status).toBe(400);
  });
});

describe('an embedding', () => {
  it('is the same each time, has length 1, and is nearer to a similar text than to another', () => {
    const fog = embed('Fog rolls in over the harbour at five.');
    const alike = embed('Fog rolls in over the harbour at six.');
    const other = embed('A baker kneads dough before dawn.');
    const nearness = (one: readonly number[], two: readonly number[]) =>
      one.reduce((sum, value, index) => sum + value * two[index]!, 0);
    expect(embed('Fog rolls in over the harbour at five.')).toEqual(fog);
    expect(fog).toHaveLength(256);
    expect(nearness(fog, fog)).toBeCloseTo(1, 3);
    expect(nearness(fog, alike)).toBeGreaterThan(nearness(fog, other) + 0.3);
  });

  it.each(['', 'a', '안', '🌫️'])('of %j is made of numbers', (text) => {
    expect(embed(text).every(Number.isFinite)).toBe(true);
  });
});

describe('a summary', () => {
  it('is made of sentences of the text, in their order, in any language', () => {
    const english = Array.from(
      { length: 40 },
      (_, index) => `Sentence ${index} is about the lighthouse and its lamp.`,
    ).join(' ');
    expect(english).toContain(summarize('The lighthouse', english).split('. ')[0]);
    expect(summarize('등대', '등대는 바위 위에 서 있다. 안개가 온다. 등대지기는 램프를 켠다.')).toContain('등대');
    expect(summarize('t', 'x'.repeat(10_000)).length).toBeLessThanOrEqual(600);
  });

  it('of a text without a sentence is its title, never nothing', () => {
    expect(summarize('Fog', ' \n ')).toBe('Fog');
  });
});
