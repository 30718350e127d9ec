import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { sinceBootMs } from '../clock';
import type { StepTimes } from '../config';
import type { ProcessIdentity } from '../domain/identity';
import { parseTime } from '../domain/time';
import type { Logger } from '../observability/logger';
import type { Registry } from '../execution/registry';
import type { BeatTimes, FromThread, HeartbeatSettings, ToThread } from './messages';

/** The main thread's sign of life, once in this many milliseconds. */
const SIGN_OF_LIFE_MS = 1_000;
/** A longer silence of the main thread's timer means that the process was stopped, or blocked. */
const STOPPED_MS = 5_000;

export interface HeartbeatCounters {
  readonly beats: number;
  readonly failures: number;
}

export interface HeartbeatOptions {
  readonly databaseUrl: string;
  readonly identity: ProcessIdentity;
  readonly times: StepTimes;
  readonly registry: Registry;
  readonly log: Logger;
  /** Called on each beat, failed ones too: Temporal's heartbeats go out on the same tick (spec 10 "Heartbeat"). */
  onTick(): void;
}

/**
 * The one heartbeat loop of a worker process, in a thread of its own with a connection of its own (spec 10 "Heartbeat").
 * Runs that another owner has are dropped from the registry, and their step is told.
 */
export class Heartbeat {
  private readonly thread: Worker;
  private readonly alive = new SharedArrayBuffer(4);
  private readonly signOfLife: NodeJS.Timeout;
  private unbrokenMs = 0;
  private lastBeat: BeatTimes | null = null;
  private beats = 0;
  private failures = 0;
  private stopping = false;

  constructor(private readonly options: HeartbeatOptions) {
    const { times, identity, registry } = options;
    const settings: HeartbeatSettings = {
      databaseUrl: options.databaseUrl,
      bootId: identity.bootId,
      heartbeatMs: times.heartbeatSeconds * 1_000,
      stallMs: times.stallSeconds * 1_000,
      aliveCounter: this.alive,
    };
    this.thread = new Worker(compiledThread(), { workerData: settings, name: 'heartbeat' });
    this.thread.on('message', (message: FromThread) => this.receive(message));
    // Without the beat every lock of this process would go stale in silence: end, loudly, and be started again.
    this.thread.on('error', (error) => this.crash(error));
    this.thread.on('exit', (code) => {
      if (!this.stopping) this.crash(new Error(`The heartbeat's thread ended by itself (exit code ${code}).`));
    });
    registry.listen({
      onHold: (held) => this.post({ kind: 'hold', runId: held.runId }),
      onDrop: (runId) => this.post({ kind: 'drop', runId }),
    });
    const counter = new Int32Array(this.alive);
    let lastMs = sinceBootMs();
    this.signOfLife = setInterval(() => {
      Atomics.add(counter, 0, 1);
      const nowMs = sinceBootMs();
      if (nowMs - lastMs > STOPPED_MS) this.unbrokenMs = 0; // stopped, or asleep: a gap, until the thread has beaten again
      lastMs = nowMs;
    }, SIGN_OF_LIFE_MS);
  }

  /**
   * Whether this process may act on a death by heartbeat that it judged at `now`, the database's clock: its own beats have
   * succeeded without a gap for an interval, and that clock has not leapt ahead of ours since the last one.
   */
  mayActOnHeartbeat(now: string): boolean {
    const intervalMs = this.options.times.heartbeatSeconds * 1_000;
    const nowMs = parseTime(now);
    if (this.lastBeat === null || nowMs === null || this.unbrokenMs < intervalMs) return false;
    const sinceMs = sinceBootMs() - this.lastBeat.atMs;
    return sinceMs <= intervalMs + STOPPED_MS && nowMs - this.lastBeat.databaseMs <= sinceMs + STOPPED_MS;
  }

  counters(): HeartbeatCounters {
    return { beats: this.beats, failures: this.failures };
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.signOfLife);
    const ended = new Promise<void>((resolve) => this.thread.once('exit', () => resolve()));
    this.post({ kind: 'stop' });
    await ended;
  }

  private post(message: ToThread): void {
    this.thread.postMessage(message);
  }

  private receive(message: FromThread): void {
    const { log, registry, onTick } = this.options;
    switch (message.kind) {
      case 'beat':
        this.beats += 1;
        this.unbrokenMs = message.unbrokenMs;
        this.lastBeat = message;
        for (const runId of message.lost) {
          if (registry.holds(runId)) log.warn({ runId }, 'the heartbeat finds that another owner has the row');
          registry.lose(runId);
        }
        return onTick();
      case 'failed':
        this.failures += 1;
        this.lastBeat = null;
        log.warn({ failures: message.failures, reason: message.message }, 'a heartbeat failed');
        return onTick();
      case 'stalled':
        this.lastBeat = null;
        return log.error(
          { silentMs: message.silentMs },
          'the main thread hung, and the heartbeat had stopped: others may have taken the rows of this process',
        );
      case 'recovered':
        return log.warn('the main thread lives again: the heartbeat goes on');
      case 'stopped':
        return;
    }
  }

  private crash(error: Error): void {
    this.options.log.fatal({ err: error }, 'the heartbeat is gone: this process ends');
    process.exit(1);
  }
}

/** A thread needs compiled code: beside this file in dist; from the sources (tests), in dist all the same. */
function compiledThread(): string {
  const beside = path.join(__dirname, 'thread.js');
  return __filename.endsWith('.ts')
    ? path.resolve(__dirname, '..', '..', 'dist', 'src', 'heartbeat', 'thread.js')
    : beside;
}
