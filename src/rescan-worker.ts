import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, Worker, type NativeConnectionOptions, type WorkerOptions } from '@temporalio/worker';
import { createRescanActivities, type RescanDependencies } from './activities/rescan-round';
import { rescanTaskQueue } from './domain/ids';
import type { RescanClient } from './temporal/rescan-client';
import { roundLimitMs } from './rescan/round-limit';
import type { RescanInput } from './workflows/rescan-contract';

export interface RescanWorkerOptions extends RescanDependencies {
  readonly connection: NativeConnectionOptions;
  readonly namespace: string;
  readonly deployment: string;
  readonly identity: string;
  readonly loop: RescanClient;
  /** Where the workflows are: a bundle or a path. */
  readonly workflows: Partial<WorkerOptions>;
  /** How long after the call it begins, in ms. */
  readonly startAfterMs: number;
  /** How often the loop is started, where it does not run, in ms; absent: every few minutes. */
  readonly startEveryMs?: number;
}

export interface RescanWorker {
  /** Resolves when its round has ended and nothing is polled any more; never rejects. */
  stop(): Promise<void>;
}

/** Before it is tried again, after something of it failed. */
const AGAIN_AFTER_MS = 10_000;
/** A loop that somebody has ended in Temporal is missed for so long. */
const START_EVERY_MS = 300_000;
/** A round that is told to stop gives up its requests at once; what does not end then is left. */
const STOPS_WITHIN_MS = 10_000;

/**
 * The rescan beside the steps of a worker process (spec 30): a Worker of its own, on a task queue of its own, so that image
 * steps cannot delay a round. It starts the loop where it does not run, again and again. Whatever fails here is logged and tried again, and
 * never ends the process: work that is paid for goes on beside it.
 */
export function startRescanWorker(options: RescanWorkerOptions): RescanWorker {
  const stopping = new AbortController();
  const ended = keepAlive(options, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function keepAlive(options: RescanWorkerOptions, stop: AbortSignal): Promise<void> {
  await delay(options.startAfterMs, undefined, { signal: stop }).catch(() => undefined); // rejects only where it is told to stop
  while (!stop.aborted) {
    try {
      await runUntil(options, stop);
      if (!stop.aborted) throw new Error('The rescan worker ended without being told to.');
    } catch (error) {
      options.log.error({ err: error, againAfterMs: AGAIN_AFTER_MS }, 'the rescan worker failed: it is started again');
      await delay(AGAIN_AFTER_MS, undefined, { signal: stop }).catch(() => undefined); // rejects only where it is told to stop
    }
  }
}

async function runUntil(options: RescanWorkerOptions, stop: AbortSignal): Promise<void> {
  // A connection of its own: what fails here does not touch that of the steps.
  const connection = await NativeConnection.connect(options.connection);
  try {
    await poll(options, connection, stop);
  } finally {
    await connection.close();
  }
}

async function poll(options: RescanWorkerOptions, connection: NativeConnection, stop: AbortSignal): Promise<void> {
  const worker = await Worker.create({
    connection,
    namespace: options.namespace,
    taskQueue: rescanTaskQueue(options.deployment),
    identity: options.identity,
    activities: createRescanActivities(options),
    stickyQueueScheduleToStartTimeout: '1s',
    shutdownForceTime: STOPS_WITHIN_MS,
    maxConcurrentActivityTaskExecutions: 2,
    maxCachedWorkflows: 2,
    ...options.workflows,
  });
  const running = worker.run();
  const ended = new AbortController();
  const shutDown = () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  stop.addEventListener('abort', shutDown, { once: true });
  try {
    if (stop.aborted) shutDown();
    else await Promise.race([startLoop(options), running]);
    void keepStarted(options, AbortSignal.any([stop, ended.signal]));
    await running;
  } catch (error) {
    shutDown();
    await running.catch(() => undefined); // the first failure is the one that is told
    throw error;
  } finally {
    stop.removeEventListener('abort', shutDown);
    ended.abort();
  }
}

async function startLoop(options: RescanWorkerOptions): Promise<void> {
  const { loop, log, deployment } = options;
  await loop.start(inputOf(options));
  log.info({ workflowId: loop.workflowId, deployment }, 'the rescan runs');
}

/** Starts the loop every few minutes until `end`: one that was terminated in Temporal runs again. Never rejects. */
async function keepStarted(options: RescanWorkerOptions, end: AbortSignal): Promise<void> {
  const { loop, log, startEveryMs = START_EVERY_MS } = options;
  // The delay rejects only where it is told to end; it keeps no process alive.
  while (await delay(startEveryMs, true, { signal: end, ref: false }).catch(() => false)) {
    try {
      await loop.ensure(inputOf(options)); // a signal each time would fill the history of a loop that waits
    } catch (error) {
      if (!end.aborted) log.warn({ err: error }, 'whether the rescan runs is not known: it is started again later');
    }
  }
}

function inputOf({ rescan, ai }: RescanWorkerOptions): RescanInput {
  return { intervalMs: rescan.intervalMs, limitMs: roundLimitMs(rescan, ai) };
}
