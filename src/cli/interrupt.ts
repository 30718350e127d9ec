import { onEndSignals } from '../embedded/end-signals';
import { EXIT_ON_SIGNAL } from './exit-codes';

/** Ctrl-C and its sisters as something to wait for, so that nothing is torn down behind a command's back. */
export interface Interrupt {
  /** Aborted by the first signal: stop at the next good place. */
  readonly asked: AbortSignal;
  /** Aborted by the second: end at once. */
  readonly insisted: AbortSignal;
  /** By shells' convention, of the newest signal. */
  exitCode(): number;
  /** Gives the signals back to the process. */
  release(): void;
}

/** Listens until released. Without it a signal would end the process before the terminal and the stack are put in order. */
export function listenForInterrupts(): Interrupt {
  const asked = new AbortController();
  const insisted = new AbortController();
  let exitCode: number = EXIT_ON_SIGNAL.SIGINT;
  const note = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP') exitCode = EXIT_ON_SIGNAL[signal];
  };
  const release = onEndSignals({
    first: (signal) => {
      note(signal);
      asked.abort();
    },
    again: (signal) => {
      note(signal);
      insisted.abort();
    },
  });
  return { asked: asked.signal, insisted: insisted.signal, exitCode: () => exitCode, release };
}

export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What was begun with this signal; null where it was given up for it. Throws what else went wrong. */
export async function unlessAborted<T>(signal: AbortSignal, begun: Promise<T>): Promise<T | null> {
  try {
    return await begun;
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null;
    throw error;
  }
}
