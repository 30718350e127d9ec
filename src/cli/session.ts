import type { Config } from '../config';
import type { Context } from './context';
import type { OpenedOperations, StackHandle } from './dependencies';
import { EXIT_ON_SIGNAL } from './exit-codes';
import { listenForInterrupts, type Interrupt } from './interrupt';

/** An open stack and the operations on it, for as long as one command works. */
export interface Session {
  readonly config: Config;
  readonly stack: StackHandle;
  readonly operations: OpenedOperations;
  /** Aborted by the first Ctrl-C, and where the joined stack ends. */
  readonly over: AbortSignal;
}

export type SessionEnd<T> =
  | { readonly end: 'done'; readonly value: T }
  /** A person stopped it: the exit code by shells' convention. `joined`: the stack goes on without this process. */
  | { readonly end: 'interrupted'; readonly exitCode: number; readonly joined: boolean }
  /** The joined stack ended under the work. */
  | { readonly end: 'stack_ended' };

export interface SessionOptions {
  readonly need: 'database' | 'everything';
  say(line: string): void;
  /** Called at the first Ctrl-C, before the stack is stopped: put the terminal in order and say what becomes of the work. */
  onInterrupt?(joined: boolean | null): void;
}

/**
 * Opens the stack, works, and puts everything back, on every path. The first signal ends the work and stops the stack in
 * order; the second ends at once, and what is left is ended by the stack's keeper. Throws what opening or the work throws.
 */
export async function inSession<T>(context: Context, options: SessionOptions, work: (session: Session) => Promise<T>): Promise<SessionEnd<T>> {
  const interrupt = listenForInterrupts();
  try {
    const insisted = interrupt.insisted.then((exitCode): SessionEnd<T> => ({ end: 'interrupted', exitCode, joined: false }));
    return await Promise.race([orderly(context, options, interrupt, work), insisted]);
  } finally {
    interrupt.release();
  }
}

async function orderly<T>(context: Context, options: SessionOptions, interrupt: Interrupt, work: (session: Session) => Promise<T>): Promise<SessionEnd<T>> {
  const config = context.dependencies.readConfig();
  let stack: StackHandle | null = null;
  const onSignal = () => options.onInterrupt?.(stack?.joined ?? null);
  interrupt.asked.addEventListener('abort', onSignal, { once: true });
  try {
    stack = await context.dependencies.openStack({ config, need: options.need, say: (line) => options.say(line) });
    const opened: StackHandle = stack;
    try {
      return await onStack(context, config, opened, interrupt, work);
    } finally {
      await opened.stop();
    }
  } finally {
    interrupt.asked.removeEventListener('abort', onSignal);
  }
}

async function onStack<T>(
  { dependencies }: Context,
  config: Config,
  stack: StackHandle,
  interrupt: Interrupt,
  work: (session: Session) => Promise<T>,
): Promise<SessionEnd<T>> {
  const stackEnd = new AbortController();
  stack.onEnd(() => stackEnd.abort());
  const over = AbortSignal.any([interrupt.asked, stackEnd.signal]);
  const stopped = whenAborted(over).then((): SessionEnd<T> => {
    const signal = interrupt.signal();
    return signal === null ? { end: 'stack_ended' } : { end: 'interrupted', exitCode: EXIT_ON_SIGNAL[signal], joined: stack.joined };
  });
  const operations = await dependencies.openOperations({
    config,
    databaseUrl: stack.databaseUrl,
    temporalAddress: stack.temporalAddress,
    temporalUiUrl: stack.temporalUiUrl,
    role: 'cli',
  });
  try {
    // Work that loses the race is not waited for: its session is closed under it, and it must look at `over`.
    return await Promise.race([stopped, worked(work, { config, stack, operations, over })]);
  } finally {
    await operations.close();
  }
}

async function worked<T>(work: (session: Session) => Promise<T>, session: Session): Promise<SessionEnd<T>> {
  return { end: 'done', value: await work(session) };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
