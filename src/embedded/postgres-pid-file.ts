import { execFileSync } from 'node:child_process';
import { readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endProcess, END_POSTGRES } from './process-end';
import { identify } from './process-identity';
import { readIfThere } from './whole-file';

/** Whether a process is a PostgreSQL server over this data folder: the server's working directory is its data folder. */
function servesFolder(pid: number, dataFolder: string): boolean {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder);
    } catch {
      return false;
    }
  }
  const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return command.includes('postgres') && command.includes(dataFolder);
}

export type PidFileFinding = 'none' | 'stale' | 'ended orphan' | 'pid taken by another program';

/**
 * Makes a data folder ready for a server of ours (cases C51); only for the holder of the home's lock, for whom a server that
 * still runs there is an orphan. An orphan is ended. The file is never removed: with it PostgreSQL would lose its check for
 * shared memory that is still in use. Where an unrelated program has the pid, PostgreSQL would refuse for ever; it ignores
 * its parent's pid, so ours is put there.
 */
export async function settlePidFile(dataFolder: string): Promise<PidFileFinding> {
  const file = path.join(dataFolder, 'postmaster.pid');
  const text = readIfThere(file);
  if (text === undefined) return 'none';
  const [firstLine = '', ...rest] = text.split('\n');
  const pid = Number.parseInt(firstLine, 10);
  const known = Number.isInteger(pid) && pid > 0 ? identify(pid) : undefined;
  if (known && servesFolder(pid, dataFolder)) {
    await endProcess(known, END_POSTGRES);
    return 'ended orphan';
  }
  if (!known && Number.isInteger(pid)) return 'stale';
  // An empty or torn file (power cut) makes PostgreSQL refuse as well.
  writeFileSync(file, [String(process.pid), ...(rest.length > 0 ? rest : [dataFolder, ''])].join('\n'));
  return 'pid taken by another program';
}
