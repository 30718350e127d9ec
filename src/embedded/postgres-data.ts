import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../config';
import { AppError } from '../domain/errors';
import type { Home } from './home';
import type { PostgresBinaries } from './postgres-binaries';
import type { PostgresUser } from './postgres-user';
import { readIfThere } from './whole-file';

/** Inside the data folder, so that data and password are made, moved and restored together. */
const PASSWORD_FILE = 'callsheet.password';
const UNFINISHED = /^postgres\.unfinished-/;
export const SUPERUSER = 'callsheet';

/** No PG* variable of the user reaches the embedded server. Messages in English: we read some of them. */
export function postgresEnvironment(): Record<string, string | undefined> {
  const own = Object.fromEntries(
    Object.keys(childEnvironment({}))
      .filter((name) => name.startsWith('PG'))
      .map((name) => [name, undefined]),
  );
  return childEnvironment({ ...own, LC_ALL: 'C', LC_MESSAGES: 'C', TZ: 'UTC' });
}

function give(target: string, user: PostgresUser): void {
  if (user) chownSync(target, user.uid, user.gid);
}

/** A folder without PG_VERSION was never a database: it is set aside, not deleted. */
function setAside(home: Home, say: (line: string) => void): void {
  const aside = `${home.postgres}.set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(home.postgres, aside);
  say(`The folder ${home.postgres} holds no database (no PG_VERSION): set aside as ${path.basename(aside)}.`);
}

async function initialise(home: Home, binaries: PostgresBinaries, user: PostgresUser): Promise<void> {
  const unfinished = `${home.postgres}.unfinished-${process.pid}`;
  const passwordFile = `${unfinished}.password`;
  const password = randomBytes(24).toString('base64url');
  mkdirSync(unfinished, { mode: 0o700 });
  chmodSync(unfinished, 0o700);
  give(unfinished, user);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  give(passwordFile, user);
  await promisify(execFile)(
    binaries.initdb,
    [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    { ...user, cwd: home.folder, env: postgresEnvironment() },
  );
  renameSync(passwordFile, path.join(unfinished, PASSWORD_FILE));
  renameSync(unfinished, home.postgres);
}

function removeUnfinished(home: Home): void {
  for (const name of readdirSync(home.folder))
    if (UNFINISHED.test(name)) rmSync(path.join(home.folder, name), { recursive: true, force: true });
}

/**
 * The data folder, made where it is absent: first under a temporary name, then renamed, so that a half-made one is never
 * taken for a database. One that holds PG_VERSION is never deleted or made anew (cases C51). Answers the password. Throws
 * stack.start_failed for another major version or a failed initdb, naming the reason.
 */
export async function prepareData(
  home: Home,
  binaries: PostgresBinaries,
  user: PostgresUser,
  say: (line: string) => void,
): Promise<string> {
  removeUnfinished(home);
  const version = readIfThere(path.join(home.postgres, 'PG_VERSION'))?.trim();
  if (version === undefined) {
    if (existsSync(home.postgres) && readdirSync(home.postgres).length > 0) setAside(home, say);
    else rmSync(home.postgres, { recursive: true, force: true });
    try {
      await initialise(home, binaries, user);
    } catch (error) {
      removeUnfinished(home);
      const output =
        error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' && error.stderr !== ''
          ? error.stderr
          : String(error);
      throw new AppError(
        'stack.start_failed',
        `Making the database in ${home.postgres} failed: ${output.trim().split('\n').slice(-3).join(' ')}`,
        undefined,
        { cause: error },
      );
    }
  } else if (Number.parseInt(version, 10) !== binaries.major) {
    throw new AppError(
      'stack.start_failed',
      `The data in ${home.postgres} was made by PostgreSQL ${version}, this release brings ${binaries.major}. It is left as it is: move it with pg_dump of PostgreSQL ${version}, or set CALLSHEET_HOME to another folder.`,
    );
  }
  const password = readIfThere(path.join(home.postgres, PASSWORD_FILE))?.trim();
  if (password === undefined || password === '')
    throw new AppError(
      'stack.start_failed',
      `The data folder ${home.postgres} lacks ${PASSWORD_FILE}, the password of its user ${SUPERUSER}: it was not made by callsheet. Set CALLSHEET_HOME to another folder.`,
    );
  return password;
}
