import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { endProcess, type EndStep } from './process-end';
import { identify, type KnownProcess } from './process-identity';

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Told as soon as a process exists, before it is ready: whoever must end it if we die needs to know by then. */
export type OnSpawned = (child: StartedChild) => void;

/** A child process of ours that has started. */
export interface StartedChild {
  readonly name: string;
  readonly known: KnownProcess;
  /** undefined while it lives. */
  readonly exit: ChildExit | undefined;
  readonly exited: Promise<ChildExit>;
  /** Ends it by its own steps, or by harder ones; returns when it is gone. */
  end(steps?: readonly EndStep[]): Promise<void>;
}

/** Waits until the program runs. Throws the system's error where it cannot be started (absent, not executable). */
export async function startedChild(
  name: string,
  child: ChildProcess,
  endSteps: readonly EndStep[],
): Promise<StartedChild> {
  let exit: ChildExit | undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    throw error;
  }
  const known = identify(child.pid) ?? { pid: child.pid, started: 'ended' };
  return {
    name,
    known,
    get exit() {
      return exit;
    },
    exited,
    async end(steps = endSteps) {
      if (exit !== undefined) return;
      await endProcess(known, steps);
      await exited;
    },
  };
}

/** "code 1" or "signal SIGKILL", for messages. */
export function describeExit({ code, signal }: ChildExit): string {
  return signal === null ? `code ${code ?? '?'}` : `signal ${signal}`;
}
