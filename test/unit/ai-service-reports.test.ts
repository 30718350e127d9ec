import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReporter } from '../../src/ai-service/reporter';
import { keepingLog } from '../support/rescan';

interface Given {
  readonly status: number;
  readonly retryAfter?: string;
}

const REQUEST = {
  requestId: 'r1',
  contextId: '7',
  projectId: 'p',
  title: 'Fog',
  body: 'Fog comes.',
  contentHash: 'h',
  stages: ['summary' as const],
};

let server: http.Server;
let answers: Given[];
/** When each report came, in ms. */
let came: number[];
beforeEach(async () => {
  answers = [];
  came = [];
  server = http.createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.on('end', () => {
      came.push(performance.now());
      const { status, retryAfter } = answers.shift() ?? { status: 200 };
      outgoing.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function report(waitsMs: readonly number[] = [1, 1, 1]) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { log, lines } = keepingLog();
  const reporter = createReporter({ url, token: undefined, log, waitsMs });
  return { lines, taken: reporter.report(REQUEST, 'summary', { status: 'COMPLETED', result: {} }) };
}

describe('a report of a finished stage', () => {
  it.each([408, 429, 500, 503])('that the API answers with %d is not lost: it is told again', async (status) => {
    answers.push({ status }, { status });
    expect(await report().taken).toBe(true);
    expect(came).toHaveLength(3);
  });

  it.each([400, 401, 404])('that the API refuses with %d is told once', async (status) => {
    answers.push({ status });
    expect(await report().taken).toBe(false);
    expect(came).toHaveLength(1);
  });

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()], // to the second: at least one is left
  ])('comes again no sooner than Retry-After says, in %s', async (_form, retryAfter) => {
    answers.push({ status: 429, retryAfter: retryAfter() });
    expect(await report().taken).toBe(true);
    expect(came[1]! - came[0]!).toBeGreaterThanOrEqual(950);
  });

  it('is waited for by its own measure where Retry-After says nothing that can be read', async () => {
    answers.push({ status: 429, retryAfter: 'soon' });
    expect(await report().taken).toBe(true);
  });

  it('is lost at once, and said to be, where the API asks for hours', async () => {
    answers.push({ status: 503, retryAfter: '86400' });
    const { taken, lines } = report();
    expect(await taken).toBe(false);
    expect(came).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ level: 'error', message: expect.stringMatching(/^a report is lost/) });
  });
});
