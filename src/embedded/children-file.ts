import { rmSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from './check';
import type { KnownProcess } from './process-identity';
import { readJsonIfThere, writeWhole } from './whole-file';

export const CHILD_NAMES = ['keeper', 'worker', 'api', 'temporal', 'postgres'] as const;
export type ChildName = (typeof CHILD_NAMES)[number];

const childrenSchema = z.array(z.object({ name: z.enum(CHILD_NAMES), pid: z.number().int(), started: z.string() }));

export interface RecordedChild extends KnownProcess {
  readonly name: ChildName;
}

/** The processes that a stack started, as it wrote them down; for the keeper and for the next start. */
export function readChildren(file: string): readonly RecordedChild[] {
  return parseChildren(readJsonIfThere(file));
}

/** After their processes were ended: nothing is left for a next start. */
export function removeChildrenFile(file: string): void {
  rmSync(file, { force: true });
}

export function parseChildren(value: unknown): readonly RecordedChild[] {
  const parsed = childrenSchema.safeParse(value);
  return parsed.success ? parsed.data : [];
}

/**
 * The living children of a stack; every change is told to the listener and written to children.json. A file that cannot be
 * written (a full disk, a home that somebody removed) is said, and ends nothing: the keeper knows them all the same.
 */
export class ChildrenRecord {
  readonly #living = new Map<ChildName, RecordedChild>();
  readonly #listeners = new Set<() => void>();
  #closed = false;
  #problem: string | undefined;

  constructor(
    private readonly file: string,
    private readonly say: (line: string) => void,
  ) {}

  get all(): readonly RecordedChild[] {
    return [...this.#living.values()];
  }

  /** Answers how to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  add(name: ChildName, { pid, started }: KnownProcess): void {
    this.#living.set(name, { name, pid, started });
    this.#changed();
  }

  remove(name: ChildName, { pid }: KnownProcess): void {
    if (this.#living.get(name)?.pid !== pid) return;
    this.#living.delete(name);
    this.#changed();
  }

  /** At the end of the stack, when all were ended: removes the file, and never writes it again. */
  close(): void {
    this.#closed = true;
    removeChildrenFile(this.file);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
    if (!this.#closed) this.#write();
  }

  #write(): void {
    try {
      writeWhole(this.file, JSON.stringify(this.all));
      this.#problem = undefined;
    } catch (error) {
      const problem = messageOf(error);
      // A child that is started again and again would say it each time.
      if (problem !== this.#problem)
        this.say(`${this.file} cannot be written (${problem}): a next start would not know these processes.`);
      this.#problem = problem;
    }
  }
}
