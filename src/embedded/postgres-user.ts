import { execFileSync, spawnSync } from 'node:child_process';
import { AppError } from '../domain/errors';

const NAME = 'postgres';

/** The user whom PostgreSQL runs as: undefined for our own, which is right unless we are root. */
export type PostgresUser = { readonly uid: number; readonly gid: number } | undefined;

function idOf(option: '-u' | '-g'): number | undefined {
  const answer = spawnSync('id', [option, NAME], { encoding: 'utf8' });
  const id = Number.parseInt(answer.stdout, 10);
  return answer.status === 0 && Number.isInteger(id) ? id : undefined;
}

/** The system user `postgres` where it is there. */
export function findPostgresUser(): PostgresUser {
  const uid = idOf('-u');
  const gid = idOf('-g');
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { uid, gid };
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function makeUser(): void {
  const attempts: readonly (readonly [string, readonly string[]])[] = [
    [
      'useradd',
      [
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        NAME,
      ],
    ],
    // BusyBox, as in Alpine
    ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', NAME]],
  ];
  const failures: string[] = [];
  for (const [command, args] of attempts) {
    try {
      execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
      return;
    } catch (error) {
      failures.push(`${command}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  throw new AppError(
    'stack.start_failed',
    `PostgreSQL does not run as root, and the system user ${NAME} could not be made (${failures.join('; ')}). Make it, or run as another user, or set DATABASE_URL.`,
  );
}

/** As root: the system user `postgres`, made where it is absent (one line says so). Throws stack.start_failed. */
export function requirePostgresUser(say: (line: string) => void): PostgresUser {
  if (!isRoot()) return undefined;
  const present = findPostgresUser();
  if (present) return present;
  makeUser();
  const made = findPostgresUser();
  if (!made)
    throw new AppError(
      'stack.start_failed',
      `The system user ${NAME} was made but cannot be found. Set DATABASE_URL, or run as another user.`,
    );
  say(`PostgreSQL does not run as root: made the system user ${NAME} for it.`);
  return made;
}
