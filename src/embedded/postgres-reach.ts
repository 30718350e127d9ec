import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../domain/errors';
import { nearestFolder, type Home } from './home';
import { binariesIn, type PostgresBinaries } from './postgres-binaries';
import type { PostgresUser } from './postgres-user';

/** The outermost folder on the way to `folder` that the user may not enter; undefined where it can reach it. */
export function blockedAt(folder: string, user: NonNullable<PostgresUser>): string | undefined {
  const parents: string[] = [];
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    parents.unshift(at);
    if (path.dirname(at) === at) break;
  }
  return parents.find(
    (parent) =>
      spawnSync('test', ['-x', parent], { uid: user.uid, gid: user.gid, cwd: '/', stdio: 'ignore' }).status !== 0,
  );
}

/** Throws stack.home_unusable where the user of PostgreSQL cannot enter the home (spec 50 "Setting up"). */
export function requireReachableHome(home: Home, user: PostgresUser): void {
  if (!user) return;
  // Before anything is made: a home that cannot be used is not left behind.
  const blocked = blockedAt(nearestFolder(home.folder), user);
  if (blocked === undefined) return;
  throw new AppError(
    'stack.home_unusable',
    `PostgreSQL runs as the system user postgres, which may not enter the folder ${blocked} on the way to ${home.folder}. Set CALLSHEET_HOME to a folder that it can enter (for example under /var/lib or /srv), or open ${blocked} to it (chmod o+x).`,
  );
}

/**
 * The programs where the user of PostgreSQL can reach them: the package's own, or, where the package lies in a closed folder
 * (such as a clone under /root), a copy inside the home.
 */
export function reachableBinaries(binaries: PostgresBinaries, home: Home, user: PostgresUser): PostgresBinaries {
  if (!user || blockedAt(path.join(binaries.folder, 'bin'), user) === undefined) return binaries;
  const copy = path.join(home.folder, `postgres-${binaries.major}-programs`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return binariesIn(copy);
}
