import { setTimeout as delay } from 'node:timers/promises';
import { Runtime, makeTelemetryFilterString } from '@temporalio/worker';
import type { Config } from './config';
import { endWithParent } from './embedded/parent-pipe';
import { endWithoutCheckpoint } from './execution/finalize';
import type { ProcessParts } from './wiring';

const GOODBYE_POLL_MS = 20;

export interface StopSignal {
  readonly requested: boolean;
  /** Aborted when the grace is over: calls in flight are then in doubt. */
  readonly graceOver: AbortSignal;
  onStop(stop: () => void): void;
  finished(): void;
}

/**
 * SIGTERM and SIGINT: no new work, calls in flight are settled, steps hand back; at most `shutdownGraceSeconds`, then the rows
 * held are handed back, exit 0. A second signal ends at once, exit 1. So does the end of the parent, after a moment.
 */
export function listenForStop(config: Config, parts: ProcessParts): StopSignal {
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) } },
    logger: sdkLogger(parts),
  });
  const graceOver = new AbortController();
  let requested = false;
  let finished = false;
  let stopWorker: () => void = () => process.exit(0); // not polling yet: nothing is held
  const begin = (why: string): void => {
    if (requested) {
      parts.log.fatal({ why }, 'asked to end again: ending at once');
      process.exit(1);
    }
    requested = true;
    parts.log.info({ why }, 'stopping: no new work, calls in flight are kept');
    setTimeout(() => void endAfterGrace(parts, graceOver, () => finished), config.shutdownGraceSeconds * 1_000).unref();
    stopWorker();
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  endWithParent(config.parentFd, () => {
    if (!requested) begin('the parent has ended');
  });
  return {
    get requested() {
      return requested;
    },
    graceOver: graceOver.signal,
    onStop: (stop) => {
      stopWorker = stop;
      if (requested) stop();
    },
    finished: () => {
      finished = true;
    },
  };
}

/**
 * Closes one after the other what a worker has open, and only then says that the stop is finished: what hangs in here (a database
 * that has gone, with a parked row to hand back) is ended by the grace like the steps before it.
 */
export async function closeInOrder(
  stop: Pick<StopSignal, 'finished'>,
  closings: readonly (() => Promise<unknown>)[],
): Promise<void> {
  for (const close of closings) await close();
  stop.finished();
}

/**
 * Calls in flight are written down as in doubt, rows are handed back, and the attempts are reported, so that the next one comes at
 * once: the stop finishes by itself then. What still hangs has five seconds.
 */
async function endAfterGrace(parts: ProcessParts, graceOver: AbortController, finished: () => boolean): Promise<void> {
  if (finished()) return;
  parts.log.warn('the grace is over: calls in flight are in doubt, rows are handed back');
  graceOver.abort();
  const giveUp = setTimeout(() => process.exit(0), 5_000);
  const deps = { ...parts, sleep: (ms: number) => delay(ms) };
  await Promise.allSettled(
    parts.registry
      .all()
      .map(({ held }) =>
        endWithoutCheckpoint(deps, held, { status: 'pending', message: null, recoveryReason: 'handed back: shutdown' }),
      ),
  );
  while (!finished()) await delay(GOODBYE_POLL_MS);
  clearTimeout(giveUp);
  process.exit(0);
}

function sdkLogger({ log }: ProcessParts) {
  const at =
    (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: Record<string, unknown>) =>
      log[level]({ sdk: true, ...meta }, message);
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  return {
    log: (level: keyof typeof levels, message: string, meta?: Record<string, unknown>) =>
      at(levels[level])(message, meta),
    trace: at('trace'),
    debug: at('debug'),
    info: at('debug'),
    warn: at('warn'),
    error: at('error'),
  };
}
