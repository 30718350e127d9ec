import { rmSync } from 'node:fs';
import { z } from 'zod';
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

/** After an orderly stop: nothing is left to end. */
export function removeChildrenFile(file: string): void {
  rmSync(file, { force: true });
}

export function parseChildren(value: unknown): readonly RecordedChild[] {
  const parsed = childrenSchema.safeParse(value);
  return parsed.success ? parsed.data : [];
}

/** The living children of a stack; every change is written to children.json and told to the listener. */
export class ChildrenRecord {
  readonly #living = new Map<ChildName, RecordedChild>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly file: string) {}

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

  #changed(): void {
    writeWhole(this.file, JSON.stringify(this.all));
    for (const listener of this.#listeners) listener();
  }
}
