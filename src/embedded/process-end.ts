import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type KnownProcess } from './process-identity';

/** A signal and how long its effect is waited for, in ms, before the next one. */
export interface EndStep {
  /** null: only wait. */
  readonly signal: NodeJS.Signals | null;
  readonly waitMs: number;
}

const POLL_MS = 20;
const KILL: EndStep = { signal: 'SIGKILL', waitMs: 5_000 };

/** SIGINT is PostgreSQL's fast stop, SIGQUIT leaves recovery to the next start; both keep what was committed. */
export const END_POSTGRES: readonly EndStep[] = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  KILL,
];
export const END_TEMPORAL: readonly EndStep[] = [{ signal: 'SIGTERM', waitMs: 5_000 }, KILL];
/**
 * For a worker or API whose pipe to the parent is closed: it ends by itself within 5 s (parent-pipe.ts), and uses them to
 * settle its calls and hand back. A SIGTERM would be its second request, which cuts that short.
 */
export const END_ORPHAN: readonly EndStep[] = [{ signal: null, waitMs: 6_000 }, KILL];
/** The same, when a new stack waits for it. */
export const END_ORPHAN_SOON: readonly EndStep[] = [
  { signal: null, waitMs: 2_000 },
  { signal: 'SIGTERM', waitMs: 1_000 },
  KILL,
];
export const END_AT_ONCE: readonly EndStep[] = [KILL];

/** Sends a signal; a process that is gone already is no error. */
export function signalProcess(known: KnownProcess, signal: NodeJS.Signals): void {
  if (!isAlive(known)) return;
  try {
    process.kill(known.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Kills a child that leads a group of its own, and all that it has started; not for one that was seen to end. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Waits until a process has ended, at most waitMs. Answers whether it has. */
export async function waitForEnd(known: KnownProcess, waitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + waitMs;
  while (isAlive(known)) {
    if (performance.now() >= deadlineMs) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** Ends a process, step by step, each harder than the one before. Answers whether it is gone. */
export async function endProcess(known: KnownProcess, steps: readonly EndStep[]): Promise<boolean> {
  for (const step of steps) {
    if (step.signal !== null) signalProcess(known, step.signal);
    if (await waitForEnd(known, step.waitMs)) return true;
  }
  return false;
}
