import os from 'node:os';
import type { Dependencies } from './dependencies';
import type { Terminal } from './terminal';

/** What every command is given. */
export interface Context {
  readonly terminal: Terminal;
  readonly dependencies: Dependencies;
}

/** Who acts, for the audit table: the user of this machine. */
export function operatorName(): string {
  return `cli:${userName()}@${os.hostname()}`;
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
