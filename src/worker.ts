import './observability/source-maps';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from './activities/create-activities';
import type { ActivityDependencies } from './activities/dependencies';
import { ActivityHeartbeats } from './activities/heartbeats';
import { readConfig, type Config } from './config';
import { withDatabaseErrors } from './db/errors';
import { requireSchema } from './db/migrate';
import { openConnections } from './db/open-connections';
import type { StepRun } from './db/tables';
import { AppError } from './domain/errors';
import { TASK_QUEUE } from './domain/names';
import { tellReady } from './embedded/parent-pipe';
import { handBackParked } from './execution/handover';
import { lookAhead } from './execution/look-ahead';
import { reclaimDeadRows } from './execution/reclaim';
import { Sweep } from './execution/sweep';
import { untilWritten } from './execution/until-written';
import { failAttemptWith } from './temporal/fail-attempt';
import { Heartbeat } from './heartbeat/heartbeat';
import { failLostAttempts } from './temporal/lost-attempts';
import { endClosedRuns } from './runs/end-closed-runs';
import { ensureSearchAttributes } from './temporal/search-attributes';
import { connectTemporal, type TemporalConnection } from './temporal/connection';
import { stateInTemporalOf } from './temporal/run-state';
import { warmWorkflows } from './temporal/warm-workflows';
import { startRescanWorker, type RescanWorker } from './rescan-worker';
import { RescanClient } from './temporal/rescan-client';
import { createLogger } from './observability/logger';
import { newId, openAiClient, openBuyer, openProcess, takeDefaults, type ProcessParts } from './wiring';
import { serveWorkerMetrics, type MetricsServer } from './observability/worker-metrics';
import { workerIdentity } from './temporal/worker-identity';
import { closeInOrder, listenForStop } from './worker-stop';

/** Runs that Temporal has closed, and attempts that a dead sister has left, are looked for once in so many sweeps. */
const SWEEPS_PER_LOOK = 6;
/** The steps of a start come first: what the rescan loads would take the processor from those that are taken over. */
const RESCAN_AFTER_MS = 3_000;
/** As many as a step under way uses at once. */
const CONNECTIONS_AT_START = 4;

/**
 * A worker process (spec 10, 15): reclaims what dead owners of its host left, then polls; beats, sweeps, and on SIGTERM stops
 * at safe points and hands back. Answers the exit code: 0 after a stop that was asked for. Throws AppError where it cannot
 * start, and whatever makes the worker crash.
 */
export async function runWorker(config: Config): Promise<number> {
  if (config.databaseUrl === undefined) throw new AppError('config.invalid', 'A worker needs DATABASE_URL.');
  const parts = openProcess(config, config.databaseUrl, createLogger({ level: config.logLevel, role: 'worker' }));
  const stop = listenForStop(config, parts);
  await requireSchema(parts.db);
  await takeDefaults(parts);
  const temporal = await connectTemporal(config.temporalAddress, { plain: config.temporalIsEmbedded });
  await ensureSearchAttributes(temporal);
  const heartbeats = new ActivityHeartbeats();
  const heartbeat = new Heartbeat({ ...parts, databaseUrl: config.databaseUrl, onTick: () => heartbeats.tick() });
  let onSent: (() => void) | undefined;
  const buyer = openBuyer(parts, stop.graceOver, () => onSent?.());
  const deps: ActivityDependencies = {
    ...parts,
    buyer,
    mayActOnHeartbeat: (now) => heartbeat.mayActOnHeartbeat(now),
    newId,
    sleep: (ms) => delay(ms),
    heartbeats,
    shutdown: stop,
    stateInTemporal: stateInTemporalOf(temporal.client),
  };
  const tellTemporal = failAttemptWith(temporal.client, parts.log);
  const takenOver = await reclaimAtStart(deps, temporal, tellTemporal);
  // Side by side, so that a step which is taken over finds its connections open, and what decides it warm.
  const [worker] = await Promise.all([
    createWorker(config, parts, temporal, deps),
    openConnectionsAtStart(deps, config),
    lookAhead(deps, takenOver),
  ]);
  const sweep = startSweep(deps, tellTemporal, () =>
    failLostAttempts({ ...parts, client: temporal.client }, 'where one is lost'),
  );
  const metrics = await openMetrics(config, heartbeat, parts);
  const rescan = startRescan(config, parts, temporal);
  // While the first call's answer is awaited: before, it would hold up the step itself.
  onSent = () => {
    onSent = undefined;
    void warmWorkflows(
      temporal.client,
      parts.log,
      takenOver.flatMap((row) => row.workflow_id ?? []),
    );
  };
  const running = worker.run();
  // Not before it runs: until then nothing is held, and a worker that does not run cannot be shut down.
  stop.onStop(() => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    void rescan.stop();
  });
  tellReady();
  parts.log.info({ taskQueue: TASK_QUEUE, temporal: temporal.address }, 'the worker is ready');
  await running;
  await closeInOrder(stop, [
    () => rescan.stop(),
    () => handBackParked(deps),
    () => sweep.stop(),
    () => heartbeat.stop(),
    async () => metrics?.close(),
    () => temporal.close(),
    () => parts.close(),
  ]);
  return 0;
}

/**
 * A database that goes away once the schema was seen is waited for: what it interrupts goes on without a new start (cases C28).
 * Answers the rows that were reclaimed.
 */
async function reclaimAtStart(
  deps: ActivityDependencies,
  { client }: TemporalConnection,
  tellTemporal: ReturnType<typeof failAttemptWith>,
): Promise<readonly StepRun[]> {
  const { reclaimed } = await untilWritten(deps, 'The reclaim of a start', () =>
    reclaimDeadRows(deps, 'startup reclaim', tellTemporal),
  );
  const doing = 'Looking for lost attempts';
  await untilWritten(deps, doing, () =>
    withDatabaseErrors(doing, () => failLostAttempts({ ...deps, client }, 'all open runs')),
  );
  return reclaimed;
}

function openConnectionsAtStart(deps: ActivityDependencies, config: Config): Promise<void> {
  const count = Math.min(config.databasePoolSize, CONNECTIONS_AT_START);
  return untilWritten(deps, 'Opening connections', () => openConnections(deps.db, count));
}

async function createWorker(
  config: Config,
  parts: ProcessParts,
  temporal: TemporalConnection,
  deps: ActivityDependencies,
): Promise<Worker> {
  const connection = await NativeConnection.connect({ ...temporal.options, address: temporal.address });
  return Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    identity: workerIdentity(parts.identity),
    activities: createActivities(deps),
    // Fast takeover (spec 15): the sticky time is that of the worker that died, so every worker keeps it short.
    stickyQueueScheduleToStartTimeout: '1s',
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    ...workflowsOption(),
  });
}

function workflowsOption(): Partial<WorkerOptions> {
  const bundle = path.resolve(__dirname, '..', 'workflow-bundle.js');
  return existsSync(bundle)
    ? { workflowBundle: { codePath: bundle } }
    : { workflowsPath: require.resolve('./workflows') };
}

/** The rescan of this installation, in this process beside the steps (spec 30). */
function startRescan(config: Config, parts: ProcessParts, temporal: TemporalConnection): RescanWorker {
  return startRescanWorker({
    ...parts,
    ...config,
    connection: { ...temporal.options, address: temporal.address },
    namespace: temporal.namespace,
    identity: workerIdentity(parts.identity),
    loop: new RescanClient(temporal.client, config.deployment),
    client: openAiClient(config),
    workflows: workflowsOption(),
    startAfterMs: RESCAN_AFTER_MS,
    monotonicMs: () => performance.now(),
  });
}

function startSweep(
  deps: ActivityDependencies,
  tellTemporal: ReturnType<typeof failAttemptWith>,
  failLost: () => Promise<number>,
): Sweep {
  let sweeps = 0;
  const sweep = new Sweep({
    sweepSeconds: deps.times.sweepSeconds,
    log: deps.log,
    sweep: async () => {
      const { reclaimed } = await reclaimDeadRows(deps, 'sweep', tellTemporal);
      sweeps += 1;
      const looks = sweeps % SWEEPS_PER_LOOK === 0;
      if (looks) await endClosedRuns(deps);
      // A sister that died may have had an attempt in hand that holds no row.
      if (looks || reclaimed.length > 0) await failLost();
    },
  });
  sweep.start();
  return sweep;
}

/** Where CALLSHEET_METRICS_PORT is set: what only this process knows of itself (spec 50 `/metrics`). */
async function openMetrics(
  { metricsPort }: Config,
  heartbeat: Heartbeat,
  { registry, log }: ProcessParts,
): Promise<MetricsServer | null> {
  if (metricsPort === undefined) return null;
  const server = await serveWorkerMetrics(metricsPort, () => {
    const { beats, failures } = heartbeat.counters();
    return { beats, beatFailures: failures, held: registry.all().length };
  });
  log.info({ port: server.port }, 'metrics are served on loopback');
  return server;
}

if (require.main === module)
  runWorker(readConfig()).then(
    (exitCode) => process.exit(exitCode),
    (error: unknown) => {
      process.stderr.write(
        `${error instanceof AppError ? `error ${error.code}: ${error.message}\nnext: ${error.next}` : String(error instanceof Error ? error.stack : error)}\n`,
      );
      process.exit(1);
    },
  );
