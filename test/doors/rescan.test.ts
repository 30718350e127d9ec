import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { contextBody, contextsBody, wholeContextBody } from '../../src/bodies/contexts';
import { rescanActBody, rescanBody, retriedBody } from '../../src/bodies/rescan';
import { main } from '../../src/cli/main';
import { readConfig } from '../../src/config';
import { createAiClient } from '../../src/contexts/ai-client';
import { startRescanWorker, type RescanWorker } from '../../src/rescan-worker';
import { RescanClient } from '../../src/temporal/rescan-client';
import { openOperations } from '../../src/wiring';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { openFakeAiService, type FakeAiService } from '../support/fake-ai-service';
import { emptyContexts, keepingLog, letTimePass, putContext, putState, statusesOf } from '../support/rescan';
import { quietRuntime, rescanBundle } from '../support/rescan-loop';
import { openTestTemporal, type TestTemporal } from '../support/temporal';
import { terminalDouble } from '../support/terminal-double';

const deployment = `test-${randomUUID()}`;
let home: string;
let database: TestDatabase;
let temporal: TestTemporal;
let service: FakeAiService;
let worker: RescanWorker;
let environment: Record<string, string>;
beforeAll(async () => {
  quietRuntime();
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-rescan-'));
  [database, temporal, service] = await Promise.all([createTestDatabase(), openTestTemporal(), openFakeAiService()]);
  environment = {
    CALLSHEET_HOME: home,
    CALLSHEET_DEPLOYMENT: deployment,
    AI_URL: service.url,
    AI_SECRET: 'the-secret',
    RESCAN_INTERVAL: '24h',
  };
  const { ai, rescan } = readConfig(environment);
  const { log } = keepingLog();
  const loop = new RescanClient(temporal.environment.client, deployment);
  worker = startRescanWorker({
    startAfterMs: 0,
    ...{ ai, rescan, log, loop, deployment },
    db: database.db,
    client: createAiClient(ai),
    connection: { address: temporal.address },
    namespace: 'default',
    identity: 'test',
    workflows: { workflowBundle: await rescanBundle() },
    monotonicMs: () => performance.now(),
  });
  // The loop's own first round is over: every later one is asked for by a test.
  await eventually('the first round has ended', async () => (await loop.status())?.lastRound);
});
afterAll(async () => {
  await worker.stop();
  await temporal.environment.client.workflow.getHandle(`rescan/${deployment}`).terminate('the test has ended');
  await temporal.close();
  await service.close();
  await database.drop();
  fs.rmSync(home, { recursive: true, force: true });
});
beforeEach(async () => {
  await emptyContexts(database.db);
  service.reset();
});

/** The command line in this process, on the test's own servers; without Temporal where `alone`. */
async function call(argv: readonly string[], { alone = false } = {}) {
  const double = terminalDouble({ json: argv.includes('--json') });
  const { stack } = stackDouble({ databaseUrl: database.url, ...(alone ? {} : { temporalAddress: temporal.address }) });
  const dependencies = cliDependencies({ openStack: () => Promise.resolve(stack), openOperations }, environment);
  const code = await main(argv, double.streams, dependencies);
  return { code, out: double.out(), err: double.err() };
}

async function json<T>(schema: { parse(value: unknown): T }, ...argv: string[]): Promise<T> {
  const { code, out, err } = await call([...argv, '--json']);
  if (code !== 0) throw new Error(`exit ${code}: ${out}${err}`);
  return schema.parse(JSON.parse(out));
}

function file(name: string, text: string): string {
  const written = path.join(home, name);
  fs.writeFileSync(written, text);
  return written;
}

describe('callsheet contexts', () => {
  it('adds, lists, shows, replaces and deletes, and has asked the AI service before it ends', async () => {
    const added = await json(contextBody, 'contexts', 'add', file('harbour fog.txt', 'Fog comes at five.'));
    expect(added).toMatchObject({ projectId: 'local', title: 'harbour fog', stages: { summary: 'PENDING' } });
    expect(service.asked.map(({ request }) => request.contextId)).toEqual([added.id]);
    expect((await json(contextsBody, 'contexts')).contexts.map(({ id }) => id)).toEqual([added.id]);
    const replaced = await json(
      contextBody,
      'contexts',
      'replace',
      added.id,
      file('b.txt', 'It has lifted.'),
      '--title',
      'Clear',
    );
    expect(replaced).toMatchObject({ id: added.id, title: 'Clear' });
    expect(await json(wholeContextBody, 'contexts', 'show', added.id)).toMatchObject({
      title: 'Clear',
      body: 'It has lifted.',
    });
    expect((await json(contextBody, 'contexts', 'delete', added.id)).stages).toEqual({
      embedding: 'CANCELLED',
      summary: 'CANCELLED',
    });
    expect(await call(['contexts'])).toMatchObject({ code: 0, out: expect.stringContaining('There are no contexts') });
  });

  it('shows texts of others without what would steer the terminal', async () => {
    const id = await putContext(database.db, {
      projectId: 'local',
      title: 'a\u001b[31mred',
      body: 'x\u001b]0;title\u0007y',
      lastFailure: 'boom\u001b[2J',
    });
    for (const argv of [['contexts'], ['contexts', 'show', id]]) {
      const { out } = await call(argv);
      expect(out).not.toContain('\u001b');
      expect(out).toContain('boom');
    }
  });

  it.each([
    [['contexts', 'show', '77'], 1, 'context.unknown'],
    [['contexts', 'show', 'seven'], 1, 'context.unknown'],
    [['contexts', 'delete'], 2, 'contexts delete ID'],
    [['contexts', 'add'], 2, 'contexts add FILE'],
    [['contexts', 'mend', '1'], 2, 'contexts show ID'],
    [['contexts', 'add', 'no/such/file'], 2, 'input.invalid'],
  ])('%j ends with exit code %d and says %s', async (argv, code, said) => {
    const ended = await call(argv);
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(said)]);
  });
});

describe('callsheet rescan', () => {
  const lastCounts = async () => (await json(rescanBody, 'rescan', 'status')).loop?.lastRound?.counts;

  it('run begins a round at once, waits for its end, and says what it did', async () => {
    const id = await putContext(database.db, { projectId: 'local' });
    await putState(database.db, { id: -1, retryCount: 3 });
    // As the API answers the same question; what the round did is in the status.
    expect(await json(rescanActBody, 'rescan', 'run')).toEqual({ act: 'run', workflowId: `rescan/${deployment}` });
    expect(await lastCounts()).toMatchObject({ finalized: 1, claimed: 1, sent: 1, failed: 0 });
    expect(service.asked.map(({ request }) => request.contextId)).toEqual([id]);
    expect((await call(['rescan', 'run'])).out).toMatch(/^Round: 0 rows failed for good, 0 claimed, 0 sent/);
  });

  it('run does not change what is expired', async () => {
    await putContext(database.db, { ageSeconds: 60 });
    await json(rescanActBody, 'rescan', 'run');
    expect(await lastCounts()).toMatchObject({ claimed: 0, finalized: 0 });
    expect(service.asked).toEqual([]);
  });

  it('status tells of the loop, of what waits, of what is exhausted, and of what failed and how to ask again', async () => {
    const failed = await putContext(database.db, {
      projectId: 'local',
      title: 'Lost',
      embedding: 'FAILED',
      summary: 'COMPLETED',
      retryCount: 3,
      lastFailure: 'server_error: HTTP 500',
    });
    await json(rescanActBody, 'rescan', 'run');
    await putContext(database.db, { retryCount: 1 });
    await putContext(database.db, { retryCount: 3, ageSeconds: 1 });
    const status = await json(rescanBody, 'rescan', 'status');
    expect(status).toMatchObject({
      deployment,
      loop: { state: 'waiting', intervalMs: 24 * 3_600_000, workflowId: `rescan/${deployment}` },
      exhausted: 1,
      expired: 1,
      retryCounts: { 1: 1, 3: 2 },
      stages: { embedding: { FAILED: 1, PENDING: 2 }, summary: { COMPLETED: 1, PENDING: 2 } },
      failed: [{ id: failed, lastFailure: 'server_error: HTTP 500' }],
    });
    expect(Date.parse(status.loop!.nextDueAt!)).toBe(Date.parse(status.loop!.lastRound!.endedAt) + 24 * 3_600_000);
    const { out } = await call(['rescan']);
    for (const said of ['The rescan is waiting', 'Last round', 'must fall to 0', `callsheet rescan retry ${failed}`])
      expect(out).toContain(said);
  });

  it('status without Temporal shows all but the loop, and says so', async () => {
    const { code, out } = await call(['rescan', 'status'], { alone: true });
    expect([code, out]).toEqual([0, expect.stringContaining('The loop cannot be seen from here')]);
  });

  it('pause holds the loop, and resume lets it go on', async () => {
    expect(await json(rescanActBody, 'rescan', 'pause')).toEqual({ act: 'pause', workflowId: `rescan/${deployment}` });
    expect((await json(rescanBody, 'rescan', 'status')).loop).toMatchObject({ state: 'paused', nextDueAt: null });
    await json(rescanActBody, 'rescan', 'resume');
    expect((await json(rescanBody, 'rescan', 'status')).loop).toMatchObject({ state: 'waiting' });
    const acts = await database.db
      .selectFrom('audit')
      .select('act')
      .where('act', 'in', ['rescan.pause', 'rescan.resume'])
      .orderBy('id')
      .execute();
    expect(acts.map(({ act }) => act)).toEqual(['rescan.pause', 'rescan.resume']);
  });

  it('retry asks again at once for what has failed, one or all', async () => {
    const ids = [];
    for (const title of ['one', 'two'])
      ids.push(
        await putContext(database.db, {
          projectId: 'local',
          title,
          embedding: 'FAILED',
          summary: 'FAILED',
          retryCount: 3,
        }),
      );
    const [one, two] = ids as [string, string];
    expect((await json(retriedBody, 'rescan', 'retry', one)).retried.map(({ id }) => id)).toEqual([one]);
    expect(await statusesOf(database.db, two)).toBe('FAILED/FAILED');
    expect((await json(retriedBody, 'rescan', 'retry', '--all')).retried.map(({ id }) => id)).toEqual([two]);
    expect(service.asked.map(({ request }) => request.contextId)).toEqual([one, two]);
    expect(await call(['rescan', 'retry', one])).toMatchObject({
      code: 3,
      err: expect.stringContaining('context.not_failed'),
    });
    await letTimePass(database.db);
  });

  it.each([
    [['rescan', 'retry']],
    [['rescan', 'retry', '1', '--all']],
    [['rescan', 'stop']],
    [['rescan', 'run', '7']],
    [['rescan', 'pause', '--all']],
  ])('%j is no form of it: exit code 2, and nothing is begun', async (argv) => {
    expect((await call(argv)).code).toBe(2);
  });
});

describe('the metrics', () => {
  it('show rows by stage and status, retries, exhausted and expired rows, rounds, and requests by reason', async () => {
    await putContext(database.db, { retryCount: 1 });
    service.answerWith(() => ({ status: 401 }));
    await json(rescanActBody, 'rescan', 'run');
    await putState(database.db, { id: -1, embedding: 'PROCESSING', summary: 'COMPLETED', retryCount: 3 });
    const operations = await openOperations({
      config: readConfig(environment),
      databaseUrl: database.url,
      role: 'test',
    });
    try {
      const text = await operations.rescan.metrics();
      for (const line of [
        'callsheet_context_stages{stage="embedding",status="PENDING"} 1',
        'callsheet_context_stages{stage="embedding",status="PROCESSING"} 1',
        'callsheet_context_stages{stage="summary",status="FAILED"} 0',
        'callsheet_context_retry_count{retry_count="2"} 1',
        'callsheet_context_exhausted 1',
        'callsheet_context_expired 1',
        'callsheet_rescan_rows_total{did="claimed"} 1',
        'callsheet_ai_requests_total{outcome="unauthorized"} 1',
      ])
        expect(text.split('\n')).toContain(line);
      // The loop's own number, of all tests of this file.
      expect(text).toMatch(/^callsheet_rescan_rounds_total\{outcome="done"\} [1-9]/m);
    } finally {
      await operations.close();
    }
  });
});
