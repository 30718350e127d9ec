import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Held } from '../../src/ledger/held';
import type { StepId } from '../../src/domain/steps';
import { safePointOf } from '../../src/execution/safe-point';
import { Heartbeat } from '../../src/heartbeat/heartbeat';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { openCuttableLink, type CuttableLink } from '../support/cuttable-link';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { TIMES, openTestWorker, type TestWorker } from '../support/test-worker';

const repository = path.resolve(__dirname, '../..');

/** The thread itself, compiled, with a beat every 200 ms. */
describe('the heartbeat in its thread', () => {
  let database: TestDatabase;
  let proxy: CuttableLink;
  let episode: TestEpisode;
  let worker: TestWorker;
  let heartbeat: Heartbeat;
  let ticks: number;

  beforeAll(async () => {
    execFileSync(process.execPath, [path.join(repository, 'setup/build.js')], { cwd: repository });
    database = await createTestDatabase();
    proxy = await openCuttableLink(database.url);
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });
  beforeEach(async () => {
    ticks = 0;
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db);
    heartbeat = start(proxy.url);
  });
  afterEach(async () => {
    proxy.mend();
    await heartbeat.stop();
  });

  const start = (databaseUrl: string): Heartbeat =>
    new Heartbeat({
      ...worker.deps,
      databaseUrl,
      times: { ...TIMES, heartbeatSeconds: 0.2 },
      onTick: () => void (ticks += 1),
    });
  const hold = async (step: StepId): Promise<Held> => {
    const held: Held = {
      ...episode.key(step),
      runId: `${step} of ${episode.projectId}`,
      bootId: worker.identity.bootId,
      workflowRunId: episode.runId,
    };
    await episode.insert(step, { run_id: held.runId, owner_boot_id: held.bootId, heartbeat_at: 'never' });
    worker.registry.register(held);
    return held;
  };
  const beat = async (step: StepId) => (await episode.row(step)).heartbeat_at;

  it('beats what is held, not what is only being claimed, and ticks for Temporal', async () => {
    await hold('world_guide');
    const held = await hold('entity_t2i');
    worker.registry.hold(held.runId);
    await eventually('the held run is beaten', async () => (await beat('entity_t2i')) !== 'never');
    const seen = heartbeat.counters().beats;
    await eventually('it has beaten twice more', () => heartbeat.counters().beats >= seen + 2);
    expect(await beat('world_guide')).toBe('never');
    expect(ticks).toBeGreaterThan(0);
  });

  it('does not stop while the main thread is busy: others see fresh heartbeats all the time', async () => {
    await heartbeat.stop();
    heartbeat = start(database.url); // the proxy lives in the main thread
    const held = await hold('world_guide');
    worker.registry.hold(held.runId);
    await eventually('it is beaten', async () => (await beat('world_guide')) !== 'never');
    // The main thread stands still in here, until another process has seen five beats.
    const watch = `
      const { Client } = require(${JSON.stringify(require.resolve('pg'))});
      (async () => {
        const client = new Client(${JSON.stringify(database.url)});
        await client.connect();
        const seen = new Set();
        while (seen.size < 5) seen.add((await client.query('SELECT heartbeat_at AS at FROM step_run WHERE run_id = $1', [${JSON.stringify(held.runId)}])).rows[0].at);
        await client.end();
        process.stdout.write(String(seen.size));
      })();`;
    expect(execFileSync(process.execPath, ['-e', watch], { encoding: 'utf8', timeout: 50_000 })).toBe('5');
  });

  it('tells the step of a stolen row, whose next safe point stops it; the other row goes on', async () => {
    const [stolen, kept] = [await hold('world_guide'), await hold('entity_t2i')];
    for (const held of [stolen, kept]) worker.registry.hold(held.runId);
    const toldLost = new Promise<void>((resolve) => worker.registry.onLost(stolen.runId, resolve));
    await episode.patch('world_guide', { owner_boot_id: 'thief' });
    await toldLost;
    expect(await safePointOf(worker.deps, stolen, () => null)()).toEqual({ why: 'ownership_lost' });
    expect(await safePointOf(worker.deps, kept, () => null)()).toBeNull();
    expect(await beat('world_guide')).toBe('never');
  });

  it('lets go of a parked run that a second activity has adopted, without a word of loss to anybody else', async () => {
    const held = await hold('world_guide');
    worker.registry.hold(held.runId);
    worker.registry.park(held.runId);
    await episode.patch('world_guide', { run_id: 'of the adopter', owner_boot_id: 'adopter' });
    await eventually('the parked run is let go', () => !worker.registry.holds(held.runId));
  });

  /** The database's clock is this machine's. */
  const now = (aheadMs = 0) => new Date(Date.now() + aheadMs).toISOString();

  it('allows to act on a death by heartbeat only after an unbroken interval, and not any more once its own beat has failed', async () => {
    expect(heartbeat.mayActOnHeartbeat(now())).toBe(false); // a start counts as a gap
    await eventually('it has beaten for an interval', () => heartbeat.mayActOnHeartbeat(now()));
    expect(heartbeat.mayActOnHeartbeat(now(60_000))).toBe(false); // the database's clock has leapt ahead since
    proxy.cut();
    await eventually('a beat has failed', () => heartbeat.counters().failures > 0);
    expect(heartbeat.mayActOnHeartbeat(now())).toBe(false);
    const before = ticks;
    await eventually('Temporal is still told', () => ticks > before);
    proxy.mend();
    await eventually('it has beaten for an interval again', () => heartbeat.mayActOnHeartbeat(now()));
  });

  it('says by itself, on standard error, that it stops for a main thread that hangs', () => {
    const thread = path.join(repository, 'dist/src/heartbeat/thread.js');
    const workerData = `{ databaseUrl: 'postgres://nobody@127.0.0.1:1/x', bootId: 'b', heartbeatMs: 60000, stallMs: 500,
      aliveCounter: new SharedArrayBuffer(4) }`;
    const hanging = `const { Worker } = require('node:worker_threads');
      const thread = new Worker(${JSON.stringify(thread)}, { workerData: ${workerData} });
      thread.once('online', () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
        process.kill(process.pid, 'SIGKILL'); // it never comes back to its own log
      });`;
    const { stderr } = spawnSync(process.execPath, ['-e', hanging], { encoding: 'utf8' });
    const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      {
        level: 50,
        time: expect.stringMatching(/^20.*Z$/),
        role: 'worker',
        pid: expect.any(Number),
        silentMs: expect.any(Number),
        msg: expect.stringContaining('the main thread hangs'),
      },
    ]);
  });

  it('beats what was held before it began', async () => {
    const held = await hold('world_guide');
    worker.registry.hold(held.runId);
    await heartbeat.stop();
    heartbeat = start(proxy.url);
    const since = await beat('world_guide');
    await eventually('it is beaten', async () => (await beat('world_guide')) !== since);
  });
});
