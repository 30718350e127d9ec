import { accessSync, constants, statfsSync } from 'node:fs';
import os from 'node:os';
import { type Check, messageOf } from './check';
import { freePorts, LOOPBACK } from './free-port';
import { nearestFolder } from './home';
import { findPostgresBinaries } from './postgres-binaries';
import { blockedAt } from './postgres-reach';
import { findPostgresUser, isRoot } from './postgres-user';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

export function checkWritable(name: string, folder: string, variable: string): Check {
  const there = nearestFolder(folder);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
    return { name, ok: true, detail: there === folder ? folder : `${folder} (will be made)` };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: `${folder} cannot be written: ${messageOf(error)}`,
      next: `Set ${variable} to another folder, or mend the permissions of ${there}.`,
    };
  }
}

export function checkDisk(folder: string): Check {
  const { bavail, bsize } = statfsSync(nearestFolder(folder));
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB free where ${folder} lies`;
  if (free >= 2 * GIB) return { name: 'disk', ok: true, detail };
  return {
    name: 'disk',
    ok: free < 300 * MIB ? false : 'warning',
    detail,
    next: 'Free some space, or set CALLSHEET_HOME to a folder on another disk.',
  };
}

export function checkMemory(): Check {
  const free = os.freemem();
  const detail = `${(free / GIB).toFixed(1)} GiB available`;
  return free >= 700 * MIB
    ? { name: 'memory', ok: true, detail }
    : {
        name: 'memory',
        ok: 'warning',
        detail,
        next: 'End other programs: PostgreSQL, Temporal and a worker take about 700 MiB.',
      };
}

/** As root PostgreSQL runs as another user, who must reach the home. */
export function checkPostgresUser(homeFolder: string): Check {
  const name = 'user for PostgreSQL';
  if (!isRoot()) return { name, ok: true, detail: `${os.userInfo().username} (not root: PostgreSQL runs as you)` };
  const user = findPostgresUser();
  if (!user)
    return {
      name,
      ok: 'warning',
      detail: 'running as root, and there is no system user postgres',
      next: 'Nothing: the first start makes it. Or run callsheet as another user.',
    };
  const blocked = blockedAt(nearestFolder(homeFolder), user);
  if (blocked === undefined)
    return { name, ok: true, detail: `postgres (uid ${user.uid}), which can reach ${homeFolder}` };
  return {
    name,
    ok: false,
    detail: `the system user postgres may not enter ${blocked} on the way to ${homeFolder}`,
    next: 'Set CALLSHEET_HOME to a folder that it can enter, or open the named one (chmod o+x).',
  };
}

export function checkPostgresPrograms(): Check {
  const name = 'embedded PostgreSQL';
  try {
    const { major, folder } = findPostgresBinaries(false);
    return { name, ok: true, detail: `version ${major} starts (${folder})` };
  } catch (error) {
    return { name, ok: false, detail: messageOf(error), next: 'Run npm ci, or set DATABASE_URL.' };
  }
}

export async function checkPorts(): Promise<Check> {
  try {
    const ports = await freePorts(4);
    return { name: 'ports', ok: true, detail: `free ports of ${LOOPBACK} are found (for example ${ports[0] ?? '?'})` };
  } catch (error) {
    return {
      name: 'ports',
      ok: false,
      detail: `no port of ${LOOPBACK} can be opened: ${messageOf(error)}`,
      next: 'Check the limits of this machine or container.',
    };
  }
}
