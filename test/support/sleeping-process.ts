import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { eventually } from './eventually';

/** A real process of this host that does nothing: somebody's pid. */
export interface SleepingProcess {
  readonly pid: number;
  /** SIGSTOP; resolves when the kernel says that it is stopped. */
  stop(): Promise<void>;
  /** SIGKILL; resolves when no process has the pid any more. */
  kill(): Promise<void>;
}

export async function startSleepingProcess(): Promise<SleepingProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid!;
  return {
    pid,
    stop: async () => {
      child.kill('SIGSTOP');
      await eventually('the process is stopped', async () =>
        /^State:\s+T/m.test(await readFile(`/proc/${pid}/status`, 'utf8')),
      );
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
