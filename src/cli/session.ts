import type { Config } from '../config';
import { AppError } from '../domain/errors';
import type { Context } from './context';
import type { OpenedOperations, StackHandle } from './dependencies';
import { listenForInterrupts, unlessAborted, whenAborted, type Interrupt } from './interrupt';

/** An open stack and the operations on it, for as long as one command works. */
export interface Session {
  readonly config: Config;
  readonly stack: StackHandle;
  readonly operations: OpenedOperations;
  /** Aborted by the first Ctrl-C, and where the stack ends under the work. */
  readonly over: AbortSignal;
}

export type SessionEnd<T> =
  | { readonly end: 'done'; readonly value: T }
  /** A person stopped it: the exit code by shells' convention. */
  | { readonly end: 'interrupted'; readonly exitCode: number }
  /** The joined stack ended, or another command wants the database: open again. */
  | { readonly end: 'stack_ended' };

export interface SessionOptions {
  /** `services`: what lives already, or what the environment names; nothing is started. */
  readonly need: 'database' | 'everything' | 'services';
  /** The work may be broken off and begun again when another command wants the database that is open only for it. */
  readonly givesWay?: boolean;
  say(line: string): void;
  /** Called at the first Ctrl-C, before the stack is stopped: put the terminal in order and say what becomes of the work. */
  onInterrupt?(joined: boolean | null): void;
}

/**
 * Opens the stack, works, and puts everything back, on every path. The first signal ends the work and stops the stack in
 * order; the second ends at once. Throws what opening or the work throws.
 */
export async function inSession<T>(
  context: Context,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<SessionEnd<T>> {
  const interrupt = listenForInterrupts();
  let stack: StackHandle | null = null;
  interrupt.asked.addEventListener('abort', () => options.onInterrupt?.(stack?.joined ?? null), { once: true });
  try {
    const insisted = whenAborted(interrupt.insisted).then(async (): Promise<SessionEnd<T>> => {
      // Also hastens a stop under way.
      await stack?.stop({ atOnce: true });
      return { end: 'interrupted', exitCode: interrupt.exitCode() };
    });
    const orderly = async (): Promise<SessionEnd<T>> => {
      const config = context.dependencies.readConfig();
      // Null: what had started by then has been ended.
      const opened = await unlessAborted(interrupt.asked, openStack(context, config, options, interrupt.asked));
      if (opened === null) return { end: 'interrupted', exitCode: interrupt.exitCode() };
      stack = opened;
      try {
        return await onStack(context, config, opened, options, interrupt, work);
      } finally {
        await opened.stop();
      }
    };
    return await Promise.race([orderly(), insisted]);
  } finally {
    interrupt.release();
  }
}

/** Throws stack.not_running where nothing may be started and nothing lives. */
async function openStack(
  { dependencies }: Context,
  config: Config,
  { need, say }: SessionOptions,
  signal: AbortSignal,
): Promise<StackHandle> {
  if (need !== 'services') return dependencies.openStack({ config, need, say: (line) => say(line), signal });
  const { databaseUrl, temporalAddress } = config;
  if (databaseUrl !== undefined && temporalAddress !== undefined)
    return { databaseUrl, temporalAddress, joined: true, onEnd: () => undefined, stop: () => Promise.resolve() };
  const keeper = dependencies.keeperOfLiveStack(config);
  if (keeper !== 'up') throw nobodyKeepsIt(keeper);
  const stack = await dependencies.openStack({ config, need: 'everything', say: (line) => say(line), signal });
  const keeperNow = dependencies.keeperOfLiveStack(config);
  if (stack.joined && keeperNow === 'up') return stack;
  // It ended between the two looks, and another one was started in its place.
  await stack.stop();
  throw nobodyKeepsIt(stack.joined ? keeperNow : undefined);
}

function nobodyKeepsIt(keeper: 'up' | 'run' | undefined): AppError {
  return new AppError(
    'stack.not_running',
    keeper === 'run'
      ? 'Nobody would carry the run on: the stack that runs here belongs to another run, and ends with it.'
      : 'Nobody would carry the run on: no stack is kept running here, and no services are named.',
  );
}

async function onStack<T>(
  { dependencies }: Context,
  config: Config,
  stack: StackHandle,
  options: SessionOptions,
  interrupt: Interrupt,
  work: (session: Session) => Promise<T>,
): Promise<SessionEnd<T>> {
  const stackEnd = new AbortController();
  if (stack.joined || options.givesWay) stack.onEnd(() => stackEnd.abort());
  const over = AbortSignal.any([interrupt.asked, stackEnd.signal]);
  const stopped = whenAborted(over).then((): SessionEnd<T> =>
    interrupt.asked.aborted ? { end: 'interrupted', exitCode: interrupt.exitCode() } : { end: 'stack_ended' },
  );
  const operations = await dependencies.openOperations({
    config,
    databaseUrl: stack.databaseUrl,
    temporalAddress: stack.temporalAddress,
    temporalUiUrl: stack.temporalUiUrl ?? config.temporalUiUrl,
    // Only an embedded one comes with its own UI.
    temporalIsEmbedded: stack.temporalUiUrl !== undefined,
    role: 'cli',
  });
  let hasLetGo = false;
  const working = worked(work, { config, stack, operations, over }).finally(() => (hasLetGo = true));
  // Connections are closed when the work has let go of them, and not before: Temporal's client tries a cut call again on a
  // timer, and a channel that is gone by then would end the process. Work that loses the race is not waited for.
  const closed = Promise.allSettled([working]).then(() => operations.close());
  try {
    // Work that is done stays done: a stack that ends while its connections close is no reason to begin again.
    return await Promise.race([working, stopped]);
  } finally {
    if (hasLetGo) await closed;
  }
}

async function worked<T>(work: (session: Session) => Promise<T>, session: Session): Promise<SessionEnd<T>> {
  return { end: 'done', value: await work(session) };
}
