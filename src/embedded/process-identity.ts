import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that can be told from a later one with the same pid (spec 50 "Setting up"). */
export interface KnownProcess {
  readonly pid: number;
  /** When it started, in the system's own words; compared, never read. Empty where the system does not tell. */
  readonly started: string;
}

function bootOfKernel(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8);
  } catch {
    return '';
  }
}

function startedOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces and parentheses; state is the first field behind it, start time the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended: only its parent has not looked yet.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${bootOfKernel()}:${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

function startedByPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.slice(line.indexOf(' ') + 1).trim();
  } catch {
    return undefined;
  }
}

/** When a living process started; undefined where no process has that pid. */
export function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
}

/** Pid and start of a living process; undefined where it has ended. */
export function identify(pid: number): KnownProcess | undefined {
  const started = startOf(pid);
  return started === undefined ? undefined : { pid, started };
}

export function identifySelf(): KnownProcess {
  return identify(process.pid) ?? { pid: process.pid, started: '' };
}

/** Whether this very process still lives; another one with its pid does not count. */
export function isAlive(known: KnownProcess): boolean {
  return startOf(known.pid) === known.started;
}
