import type { Config } from '../config';
import type { Db } from '../db/pool';
import type { Operations } from '../operations/contract';

/** The embedded stack as the command line uses it (spec 50 "Setting up"). */
export interface StackHandle {
  readonly databaseUrl: string;
  readonly temporalAddress?: string;
  readonly temporalUiUrl?: string;
  readonly apiUrl?: string;
  /** Another process started it, and ends it. */
  readonly joined: boolean;
  /** Called when a joined stack's owner has ended. */
  onEnd(ended: () => void): void;
  stop(): Promise<void>;
}

export interface OpenStackOptions {
  readonly config: Config;
  readonly need: 'database' | 'everything';
  say(line: string): void;
}

export type OpenedOperations = Operations & { readonly db: Db; close(): Promise<void> };

export interface OpenOperationsOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly temporalAddress?: string;
  readonly temporalUiUrl?: string;
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

/** Everything outside of this room that a command uses; tests give their own. */
export interface Dependencies {
  readConfig(): Config;
  openStack(options: OpenStackOptions): Promise<StackHandle>;
  /** Addresses of a stack that lives already, without starting or joining anything; null: none lives. */
  liveStack(config: Config): Promise<{ readonly pid: number } | null>;
  openOperations(options: OpenOperationsOptions): Promise<OpenedOperations>;
  up(config: Config, out: { line(text: string): void }): Promise<number>;
  doctor(config: Config): Promise<DoctorReport>;
  runWorker(config: Config): Promise<number>;
}
