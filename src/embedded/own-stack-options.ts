import type { Config } from '../config';
import type { ChildName } from './children-file';
import type { FileLock } from './file-lock';
import type { Home } from './home';
import type { OnSpawned, StartedChild } from './started-child';

/** Programs instead of the compiled ones. */
export interface OwnScripts {
  readonly worker?: string;
  readonly api?: string;
}

/** What a stack of our own is started with. */
export interface OwnStackOptions {
  readonly home: Home;
  readonly lock: FileLock;
  readonly config: Config;
  readonly say: (line: string) => void;
  readonly scripts: OwnScripts | undefined;
  /** Gives up the start. */
  readonly signal?: AbortSignal;
}

/** Starts and supervises one child of the stack. */
export type StartPart = (name: ChildName, begin: (spawned: OnSpawned) => Promise<StartedChild>) => Promise<void>;
