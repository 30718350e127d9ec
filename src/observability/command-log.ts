import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { createLogger, type Logger } from './logger';

export interface CommandLogOptions {
  readonly level: string;
  readonly role: string;
  /** Where the logs of a home are; never made here. */
  readonly folder: string;
}

/**
 * The log of a command: a file where a stack has made the folder and it can be written; else warnings on standard error. So a look
 * at servers elsewhere leaves no folder behind, and a home that cannot be written fails nobody who has no need of it.
 */
export function createCommandLog({ level, role, folder }: CommandLogOptions): Logger {
  const file = path.join(folder, `${role}.log`);
  return canWrite(file) ? createLogger({ level, role, file }) : createLogger({ level: atLeastWarn(level), role });
}

function canWrite(file: string): boolean {
  try {
    closeSync(openSync(file, 'a', 0o644));
    return true;
  } catch {
    return false;
  }
}

/** Standard error is what a person reads beside the answer. */
function atLeastWarn(level: string): string {
  const { values } = pino.levels;
  return (values[level] ?? Infinity) < (values['warn'] ?? 0) ? 'warn' : level;
}
