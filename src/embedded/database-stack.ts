import { existsSync } from 'node:fs';
import { migrateDatabase } from '../db/migrate';
import type { ChildrenRecord } from './children-file';
import { endKilledStack, startRecord } from './clean-start';
import type { FileLock } from './file-lock';
import type { Home } from './home';
import { preparePostgres } from './postgres-server';
import { END_AT_ONCE } from './process-end';
import type { Stack } from './open-stack';
import { supervise, type Supervised } from './supervisor';

const LOOK_EVERY_MS = 300;

interface DatabaseStackOptions {
  readonly home: Home;
  readonly lock: FileLock;
  readonly say: (line: string) => void;
  /** The one that is named; nothing of Temporal is started or waited for. */
  readonly temporalAddress: string | undefined;
  /** Gives up the start. */
  readonly signal?: AbortSignal;
}

/** PostgreSQL alone, for a command that only reads or releases while no stack runs (spec 50 "Setting up"). */
export class DatabaseStack implements Stack {
  readonly temporalUiUrl = undefined;
  readonly apiUrl = undefined;
  readonly joined = false;
  readonly #timer: NodeJS.Timeout;
  readonly #callbacks: (() => void)[] = [];
  #stopped: Promise<void> | undefined;

  private constructor(
    readonly databaseUrl: string,
    private readonly options: DatabaseStackOptions,
    private readonly parts: readonly Supervised[],
    private readonly record: ChildrenRecord,
  ) {
    this.#timer = setInterval(() => {
      if (!existsSync(options.home.wanted)) return;
      clearInterval(this.#timer);
      for (const callback of this.#callbacks.splice(0)) callback();
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  static async start(options: DatabaseStackOptions): Promise<DatabaseStack> {
    const { home, lock, say, signal } = options;
    const parts: Supervised[] = [];
    let record: ChildrenRecord | undefined;
    try {
      await endKilledStack(home, say);
      const started = await startRecord(home, say, signal);
      record = started.record;
      parts.push(started.keeper);
      const postgres = await preparePostgres(home, say);
      parts.unshift(
        await supervise({ name: 'postgres', start: (spawned) => postgres.start(spawned), record, say, signal }),
      );
      await migrateDatabase(postgres.databaseUrl);
      signal?.throwIfAborted();
      return new DatabaseStack(postgres.databaseUrl, options, parts, record);
    } catch (error) {
      await stopParts(parts);
      record?.close();
      lock.release();
      throw error;
    }
  }

  get temporalAddress(): string | undefined {
    return this.options.temporalAddress;
  }

  onEnd(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer);
    await stopParts(this.parts);
    this.record.close();
    this.options.lock.release();
  }
}

/** The keeper last. */
async function stopParts(parts: readonly Supervised[]): Promise<void> {
  for (const part of parts) await part.stop(part.name === 'keeper' ? END_AT_ONCE : undefined);
}
