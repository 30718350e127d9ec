import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../domain/errors';

/** Where things lie in `.callsheet/` (spec 50 "Setting up"). All paths are absolute. */
export interface Home {
  readonly folder: string;
  readonly lock: string;
  readonly stack: string;
  readonly children: string;
  readonly wanted: string;
  readonly ports: string;
  readonly postgres: string;
  readonly temporalDatabase: string;
  readonly logs: string;
}

export function homeAt(folder: string): Home {
  return {
    folder,
    lock: path.join(folder, 'stack.lock'),
    stack: path.join(folder, 'stack.json'),
    children: path.join(folder, 'children.json'),
    wanted: path.join(folder, 'stack.wanted'),
    ports: path.join(folder, 'ports.json'),
    postgres: path.join(folder, 'postgres'),
    temporalDatabase: path.join(folder, 'temporal.db'),
    logs: path.join(folder, 'logs'),
  };
}

export function logFileOf(home: Home, name: string): string {
  return path.join(home.logs, `${name}.log`);
}

/** The folder itself, or the nearest one above it that exists: that is where it would be made. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder));
}

/** One by one: Node's own recursive way never ends in file systems such as /proc, where nothing can be made. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    return;
  }
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another command may make it at the same moment.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  // As root PostgreSQL runs as another user, which must pass through; a strict umask would forbid it.
  chmodSync(folder, 0o755);
}

/** Makes the folders that are absent. Throws stack.home_unusable, naming the folder. */
export function makeHome(home: Home): void {
  try {
    makeFolder(home.folder);
    makeFolder(home.logs);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'stack.home_unusable',
      `The folder ${home.folder} cannot be used: ${reason}. Set CALLSHEET_HOME to another one.`,
      undefined,
      { cause: error },
    );
  }
}
