import type { AddressInfo } from 'node:net';
import { createAiService } from '../../src/ai-service/server';
import { createReporter } from '../../src/ai-service/reporter';
import { createAiClient } from '../../src/contexts/ai-client';
import { finishedSummaries } from '../../src/contexts/finished-summaries';
import type { AiSettings } from '../../src/config';
import { startRescanWorker, type RescanWorker } from '../../src/rescan-worker';
import { openContextDoors, openReportDoor, type ContextDoors } from '../support/context-doors';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { openFakeAiService } from '../support/fake-ai-service';
import {
  keepingLog,
  emptyContexts,
  letTimePass,
  putContext,
  stateOf,
  statusesOf,
  SETTINGS,
  type LoggedLine,
} from '../support/rescan';
import { INPUT, openTestLoop, quietRuntime, rescanBundle, type TestLoop } from '../support/rescan-loop';
import { openTestTemporal, type TestTemporal } from '../support/temporal';

let database: TestDatabase;
let temporal: TestTemporal;
let loop: TestLoop;
let doors: ContextDoors;
let worker: RescanWorker | undefined;
let lines: LoggedLine[];
beforeAll(async () => {
  quietRuntime();
  [database, temporal] = await Promise.all([createTestDatabase(), openTestTemporal()]);
});
afterAll(async () => {
  await temporal.close();
  await database.drop();
});
beforeEach(async () => {
  await emptyContexts(database.db);
  loop = openTestLoop(temporal);
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await loop.terminate().catch(() => undefined); // one test never reaches Temporal
  await emptyContexts(database.db);
});

async function start(
  ai: AiSettings,
  changes: { address?: string; db?: TestDatabase['db']; startEveryMs?: number } = {},
): Promise<void> {
  const kept = keepingLog();
  lines = kept.lines;
  worker = startRescanWorker({
    startAfterMs: 0,
    startEveryMs: changes.startEveryMs,
    db: changes.db ?? database.db,
    log: kept.log,
    client: createAiClient(ai),
    ai,
    rescan: { ...SETTINGS, intervalMs: INPUT.intervalMs },
    connection: { address: changes.address ?? temporal.address },
    namespace: 'default',
    deployment: loop.workflowId.slice('rescan/'.length),
    identity: 'test',
    loop: loop.client,
    workflows: { workflowBundle: await rescanBundle() },
    monotonicMs: () => performance.now(),
  });
}

async function runRound(): Promise<void> {
  const { begun } = await loop.until('no round is under way', (one) => !one.running && one.lastRound !== null);
  await loop.client.ask('run', INPUT);
  await loop.until('the round has ended', (one) => one.begun > begun && !one.running && !one.runNow);
}

describe('a worker process', () => {
  it('finds what the AI service has lost, refused and half finished, and all of it ends COMPLETED, over real HTTP', async () => {
    const reports = await openReportDoor(() => doors.contexts);
    const { log } = keepingLog();
    const reporter = createReporter({ url: reports.url, token: undefined, log });
    let reported = 0;
    const service = createAiService({
      secret: 'the-secret',
      log,
      reporter: {
        report: async (...what) => {
          const taken = await reporter.report(...what);
          reported += 1;
          return taken;
        },
      },
    });
    await service.listen({ host: '127.0.0.1', port: 0 });
    try {
      const url = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
      const ai: AiSettings = { url, secret: 'the-secret', timeoutMs: 10_000, concurrentRequests: 8, queueLength: 100 };
      const headers = { authorization: 'Bearer the-secret', 'content-type': 'application/json' };
      const order = (fault: object) => fetch(`${url}/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
      doors = openContextDoors(database.db, ai);
      await order({ fault: 'lose', times: 1 });
      await order({ fault: 'refuse', status: 503, times: 1 });
      await order({ fault: 'half', times: 1 });
      await order({ fault: 'fail', times: 1, reason: 'no memory left' });
      const ids: string[] = [];
      for (const title of ['lost', 'refused', 'half', 'failed']) {
        ids.push(
          (
            await doors.contexts.create({
              projectId: 'p',
              title,
              body: `The keeper of ${title} lights the lamp. Fog comes.`,
              by: 'tester',
            })
          ).id,
        );
        await doors.settled();
      }
      const statuses = () => Promise.all(ids.map((id) => statusesOf(database.db, id)));
      // Three of the half finished one, four of the failed one: a report that came later would make a row young again.
      await eventually('the service has said all that it will', () => reported === 7);
      expect((await statuses()).join()).toBe('PENDING/PENDING,PENDING/PENDING,COMPLETED/PROCESSING,PENDING/PENDING');
      expect((await stateOf(database.db, ids[1]!)).lastFailure).toMatch(/^server_error: HTTP 503/);
      await eventually('the failure is told', async () =>
        (await stateOf(database.db, ids[3]!)).lastFailure?.includes('no memory left'),
      );

      await letTimePass(database.db);
      await start(ai);
      await eventually('all is COMPLETED', async () =>
        (await statuses()).every((one) => one === 'COMPLETED/COMPLETED'),
      );
      expect(await finishedSummaries(database.db, 'p')).toEqual(
        ids.map((): unknown => expect.stringContaining('lights the lamp')),
      );
      const status = await doors.rescan.status();
      expect(status).toMatchObject({
        exhausted: 0,
        expired: 0,
        loop: null,
        failed: [],
        stages: { summary: { COMPLETED: 4, PENDING: 0 } },
      });
    } finally {
      await service.close();
      await reports.close();
    }
  });

  it('whose database is away loses a round, and not the loop: the next round works', async () => {
    const service = await openFakeAiService();
    try {
      const id = await putContext(database.db);
      let isAway = true;
      const db = new Proxy(database.db, {
        get: (target, name): unknown => {
          if (name === 'transaction' && isAway)
            throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(target) : value;
        },
      });
      await start(service.settings(), { db });
      const failed = await loop.until('the round has failed', (one) => one.failed === 1);
      expect(failed.lastRound?.report).toBeNull();
      isAway = false;
      await runRound();
      expect(service.asked.map(({ request }) => request.contextId)).toEqual([id]);
      expect(
        await database.db
          .selectFrom('ai.rescan_counter')
          .selectAll()
          .where('name', 'like', 'rounds_%')
          .orderBy('name')
          .execute(),
      ).toEqual([
        { name: 'rounds_done', label: expect.any(String), value: 1 },
        { name: 'rounds_failed', label: expect.any(String), value: 1 },
      ]);
    } finally {
      await service.close();
    }
  });

  it('told to stop gives up the requests of its round at once, and leaves the rest of the batch to the next', async () => {
    const service = await openFakeAiService();
    try {
      service.answerWith(() => 'nothing');
      for (let index = 0; index < 10; index += 1) await putContext(database.db);
      await start(service.settings({ concurrentRequests: 2, timeoutMs: 600_000 }));
      await eventually('requests are under way', () => service.open() === 2);
      await worker?.stop();
      expect(lines.find((line) => line.message === 'rescan round')?.fields).toMatchObject({
        claimed: 10,
        failed: 2,
        failures: { stopped: 2 },
        left: 8,
      });
    } finally {
      await service.close();
    }
  });

  it('starts the loop again that somebody has terminated, and no more once it has stopped', async () => {
    const service = await openFakeAiService();
    try {
      const starting = jest.spyOn(loop.client, 'ensure');
      await start(service.settings(), { startEveryMs: 100 });
      await loop.until('a round has ended', (one) => one.lastRound !== null);
      await loop.terminate();
      await loop.until('a round of the next run has ended', (one) => one.lastRound !== null);
      expect(lines.filter((line) => line.level === 'warn' || line.level === 'error')).toEqual([]);
      await worker?.stop();
      const starts = starting.mock.calls.length;
      await loop.terminate();
      // A start would have been due five times while these are answered by nobody.
      for (const end = performance.now() + 500; performance.now() < end;) expect(await loop.client.status()).toBeNull();
      expect(starting).toHaveBeenCalledTimes(starts);
    } finally {
      await service.close();
    }
  });

  it('that cannot reach Temporal says so and stays, until it is told to stop', async () => {
    const service = await openFakeAiService();
    try {
      await start(service.settings(), { address: '127.0.0.1:4192' });
      await eventually('it is told', () =>
        lines.some((line) => line.level === 'error' && line.message.startsWith('the rescan worker failed')),
      );
      await worker?.stop();
    } finally {
      await service.close();
    }
  });
});
