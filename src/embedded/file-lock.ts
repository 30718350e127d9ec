import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { identifySelf, isAlive, type KnownProcess } from './process-identity';
import { readJsonIfThere } from './whole-file';

const holderSchema = z.object({ id: z.string(), pid: z.number().int(), started: z.string(), purpose: z.string() });

/** Who holds a lock file, and for what. */
export type LockHolder = z.infer<typeof holderSchema>;

export interface FileLock {
  readonly id: string;
  release(): void;
}

export type LockOutcome =
  { readonly held: true; readonly lock: FileLock } | { readonly held: false; readonly holder: LockHolder | undefined };

export function readLock(file: string): LockHolder | undefined {
  const parsed = holderSchema.safeParse(readJsonIfThere(file));
  return parsed.success ? parsed.data : undefined;
}

/** Puts the whole lock there in one act: a link fails where the name exists. */
function tryLink(file: string, holder: LockHolder): boolean {
  const temporary = `${file}.${holder.id}`;
  writeFileSync(temporary, JSON.stringify(holder), { mode: 0o644 });
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The holder's id; a name made of the file itself where a power cut left it empty; undefined where there is no lock. */
function idOf(file: string): string | undefined {
  const holder = readLock(file);
  if (holder) return holder.id;
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `unreadable-${stat.ino}-${Math.round(stat.mtimeMs)}`;
}

/**
 * Removes the lock of a dead holder. Only who holds the guard named after that very lock may, and it looks again first: so
 * a lock that was taken afresh meanwhile is never removed.
 */
function removeDead(file: string, deadId: string, self: KnownProcess): void {
  const guard = takeLock(`${file}.after-${deadId}`, 'takeover', self);
  if (!guard.held) return;
  try {
    if (idOf(file) === deadId) rmSync(file, { force: true });
  } finally {
    guard.lock.release();
  }
}

/**
 * Takes a lock file, or answers who lives and holds it. The lock of a process that has ended is taken over; a reused pid is
 * no lock (spec 50 "Setting up"). A holder of undefined: it changes right now, ask again.
 */
export function takeLock(file: string, purpose: string, self: KnownProcess = identifySelf()): LockOutcome {
  const mine: LockHolder = { id: randomUUID(), pid: self.pid, started: self.started, purpose };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (tryLink(file, mine)) return { held: true, lock: { id: mine.id, release: () => releaseLock(file, mine.id) } };
    const holder = readLock(file);
    if (holder && isAlive(holder)) return { held: false, holder };
    const deadId = idOf(file);
    if (deadId !== undefined && deadId === (holder?.id ?? deadId)) removeDead(file, deadId, self);
  }
  return { held: false, holder: undefined };
}

function releaseLock(file: string, id: string): void {
  if (readLock(file)?.id === id) rmSync(file, { force: true });
}
