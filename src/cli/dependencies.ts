import type { Config } from '../config';
import type { Db } from '../db/pool';
import type { StackFile } from '../embedded/stack-file';
import type { Operations, TemporalUi } from '../operations/contract';
import type { ContactSheetContents } from '../operations/queries/contact-sheet';

/** The embedded stack as the command line uses it (spec 50 "Setting up"). */
export interface StackHandle {
  readonly databaseUrl: string;
  readonly temporalAddress?: string;
  readonly temporalUiUrl?: string;
  readonly apiUrl?: string;
  /** Another process started it, and ends it. */
  readonly joined: boolean;
  /** Called once when a joined stack ends, or when a database kept open for reading is wanted by another command. */
  onEnd(ended: () => void): void;
  /** `atOnce` waits for nobody; it also hastens a stop under way. */
  stop(options?: { readonly atOnce?: boolean }): Promise<void>;
}

export interface OpenStackOptions {
  readonly config: Config;
  readonly need: 'database' | 'everything';
  /** Gives up the start: rejects with its reason when all that had started is ended. */
  readonly signal: AbortSignal;
  say(line: string): void;
}

export type OpenedOperations = Operations & {
  readonly db: Db;
  /** For links: the stack's, or the one that the environment names. */
  readonly temporalUi: TemporalUi | undefined;
  close(): Promise<void>;
};

export interface OpenOperationsOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly temporalAddress?: string;
  readonly temporalUiUrl?: string;
  readonly temporalIsEmbedded: boolean;
  readonly role: 'cli';
}

export interface DoctorCheck {
  readonly name: string;
  readonly ok: boolean | 'warning';
  readonly detail: string;
  readonly next?: string;
}

export interface DoctorReport {
  readonly checks: readonly DoctorCheck[];
}

export interface WrittenSheet {
  readonly htmlPath: string;
  readonly pngPath: string;
}

/** What `up` tells. */
export interface UpOut {
  line(text: string): void;
  /** Once for each stack that it opens, joins or takes over: what is in its stack.json. */
  body(stack: StackFile): void;
}

/** Everything outside of this room that a command uses; tests give their own. */
export interface Dependencies {
  readConfig(): Config;
  openStack(options: OpenStackOptions): Promise<StackHandle>;
  /** For whose sake a stack runs in this home now: `up`, or a run that ends it; nothing is started or joined to know. */
  keeperOfLiveStack(config: Config): 'up' | 'run' | undefined;
  openOperations(options: OpenOperationsOptions): Promise<OpenedOperations>;
  up(config: Config, out: UpOut): Promise<number>;
  doctor(config: Config): Promise<DoctorReport>;
  runWorker(config: Config): Promise<number>;
  /** Reads its settings by itself. */
  runApi(): Promise<number>;
  /** Writes both files into the folder, whole or not at all; answers absolute paths. */
  writeContactSheet(contents: ContactSheetContents, directory: string): Promise<WrittenSheet>;
}
