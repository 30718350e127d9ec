import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../domain/errors';

/** Where things lie in `.callsheet/` (spec 50 "Setting up"). All paths are absolute. */
export interface Home {
  readonly folder: string;
  readonly lock: string;
  readonly stack: string;
  readonly children: string;
  readonly wanted: string;
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
    postgres: path.join(folder, 'postgres'),
    temporalDatabase: path.join(folder, 'temporal.db'),
    logs: path.join(folder, 'logs'),
  };
}

export function logFileOf(home: Home, name: string): string {
  return path.join(home.logs, `${name}.log`);
}

/** Makes the folders that are absent. Throws stack.home_unusable, naming the folder. */
export function makeHome(home: Home): void {
  try {
    if (!existsSync(home.folder)) {
      mkdirSync(home.folder, { recursive: true });
      // As root PostgreSQL runs as another user, which must pass through; a strict umask would forbid it.
      chmodSync(home.folder, 0o755);
    }
    mkdirSync(home.logs, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('stack.home_unusable', `The folder ${home.folder} cannot be used: ${reason}. Set CALLSHEET_HOME to another one.`, undefined, { cause: error });
  }
}
