import { EXIT_ON_SIGNAL } from './exit-codes';

export type Signal = keyof typeof EXIT_ON_SIGNAL;

/** Ctrl-C and its sisters as something to wait for, so that nothing is torn down behind a command's back. */
export interface Interrupt {
  /** Aborted by the first signal: stop at the next good place. */
  readonly asked: AbortSignal;
  /** The first signal that came; null: none yet. */
  signal(): Signal | null;
  /** Resolves with the exit code at the second signal: end at once. */
  readonly insisted: Promise<number>;
  /** Gives the signals back to the process. */
  release(): void;
}

/** Listens until released. Without it a signal would end the process before the terminal and the stack are put in order. */
export function listenForInterrupts(): Interrupt {
  const controller = new AbortController();
  let first: Signal | null = null;
  let insist: (code: number) => void = () => undefined;
  const insisted = new Promise<number>((resolve) => {
    insist = resolve;
  });
  const listeners = (Object.keys(EXIT_ON_SIGNAL) as Signal[]).map((signal) => {
    const listener = () => {
      if (first !== null) return insist(EXIT_ON_SIGNAL[signal]);
      first = signal;
      controller.abort();
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return {
    asked: controller.signal,
    signal: () => first,
    insisted,
    release: () => listeners.forEach((remove) => remove()),
  };
}
