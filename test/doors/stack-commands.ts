import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { childEnvironment, readConfig } from '../../src/config';
import { readChildren, type RecordedChild } from '../../src/embedded/children-file';
import { isAlive } from '../../src/embedded/process-identity';
import { openStack, type Stack } from '../../src/embedded/stack';
import { findTemporal } from '../../src/embedded/temporal-finder';
import { readIfThere } from '../../src/embedded/whole-file';
import { eventually } from '../support/eventually';

/** What stack-parent.cjs tells. */
export interface StackEvent {
  readonly open?: boolean;
  readonly joined?: boolean;
  readonly databaseUrl?: string;
  readonly said?: string;
  readonly stopped?: boolean;
  readonly givenUp?: boolean;
  readonly joinedStackEnded?: boolean;
  readonly error?: string;
  readonly message?: string;
}

/** For a busy machine: nothing is measured by it. */
export const PATIENT = { withinMs: 300_000 };

/** A home that the user of PostgreSQL can enter; mkdtemp's own folders are closed to it. */
export function makeTestHome(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-stack-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** PostgreSQL alone, opened in this process as by a command that only reads. */
export async function openDatabaseOnly(home: string, lines: string[] = []): Promise<Stack> {
  return openStack({
    config: readConfig(await environmentFor(home)),
    need: 'database',
    say: (line) => lines.push(line),
  });
}

/** Homes with a migrated database, copied from one that is made once: making it is what takes long. */
export class HomeMaker {
  private constructor(private readonly template: string) {}

  static async prepare(): Promise<HomeMaker> {
    const template = makeTestHome();
    await (await openDatabaseOnly(template)).stop();
    return new HomeMaker(template);
  }

  make(): string {
    const home = makeTestHome();
    // Not Node's own copying: it would give the files to root.
    execFileSync('cp', ['-a', path.join(this.template, 'postgres'), home]);
    return home;
  }

  remove(): void {
    rmSync(this.template, { recursive: true, force: true });
  }
}

let temporal: string | undefined;

/** Temporal's command line, from where the product itself would take it. */
export async function temporalForTests(): Promise<string> {
  temporal ??= (await findTemporal(readConfig(), () => undefined)).file;
  return temporal;
}

/** The environment of a command in a home; servers that the developer's shell names are not used. */
export async function environmentFor(home: string): Promise<Record<string, string | undefined>> {
  return childEnvironment({
    CALLSHEET_HOME: home,
    TEMPORAL_CLI_PATH: await temporalForTests(),
    DATABASE_URL: undefined,
    TEMPORAL_ADDRESS: undefined,
    ARTIFACT_DIR: undefined,
    CALLSHEET_API_HOST: undefined,
    CALLSHEET_API_PORT: undefined,
  });
}

/** A process that keeps a stack open, and what it tells. */
export class StackCommand {
  readonly #events: StackEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #over = false;

  private constructor(readonly process: ChildProcess) {
    if (process.stdout === null) throw new Error('No output.');
    createInterface({ input: process.stdout }).on('line', (line) => {
      this.#events.push(JSON.parse(line) as StackEvent);
      this.#wake();
    });
    process.once('exit', () => {
      this.#over = true;
      this.#wake();
    });
  }

  static async start(
    home: string,
    changes: Record<string, string | undefined> = {},
    argv: readonly string[] = [],
  ): Promise<StackCommand> {
    const environment = { ...(await environmentFor(home)), ...changes };
    return new StackCommand(
      spawn(process.execPath, [path.join(__dirname, 'stack-parent.cjs'), ...argv], {
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
  }

  /** The first event that fits; fails when the command ends without it. */
  async event(fits: (event: StackEvent) => boolean): Promise<StackEvent> {
    for (;;) {
      const found = this.#events.find(fits);
      if (found) return found;
      if (this.#over) throw new Error(`The command ended first: ${JSON.stringify(this.#events)}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async opened(): Promise<StackEvent> {
    return this.event((event) => event.open === true);
  }

  /** Sends a signal and waits for the end. Answers the exit code, null where the signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { process: child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    return exited;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

export function childrenOf(home: string): readonly RecordedChild[] {
  return readChildren(path.join(home, 'children.json'));
}

export async function untilAllGone(children: readonly RecordedChild[]): Promise<void> {
  await eventually('all children are gone', () => children.every((child) => !isAlive(child)), PATIENT);
}

/** Rows of one statement, over a connection of its own. */
export async function query(databaseUrl: string | undefined, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** What the stand-in of the worker wrote down, `PID words` in each line; nothing where it has not started. */
export function workerDiary(home: string): readonly string[] {
  return (readIfThere(path.join(home, 'worker-diary')) ?? '').trim().split('\n');
}

/** The files that tell of a stack: none of them outlives it. */
export function stackFiles(home: string): readonly string[] {
  return readdirSync(home).filter((name) => /^stack\.|^children/.test(name));
}
