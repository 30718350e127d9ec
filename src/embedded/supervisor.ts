import { describeExit, type OnSpawned, type StartedChild } from './started-child';
import type { EndStep } from './process-end';
import type { ChildName, ChildrenRecord } from './children-file';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
const SETTLED_AFTER_MS = 60_000;

/** How long to wait before the next start, given the wait before and how long the child lived. */
export function nextWaitMs(previousMs: number | undefined, livedMs: number): number {
  if (previousMs === undefined || livedMs >= SETTLED_AFTER_MS) return FIRST_WAIT_MS;
  return Math.min(previousMs * 2, LONGEST_WAIT_MS);
}

export interface SupervisedOptions {
  readonly name: ChildName;
  /** Starts it and waits until it is ready. Throws where that fails. */
  readonly start: (spawned: OnSpawned) => Promise<StartedChild>;
  readonly record: ChildrenRecord;
  readonly say: (line: string) => void;
  /** Gives up the first start; without meaning after it. */
  readonly signal?: AbortSignal;
}

/** A child that is started again when it dies, whatever its exit code, until it is stopped. */
export interface Supervised {
  readonly name: ChildName;
  /** Stops for good. Called again with harder steps, it hastens a stop that is under way. */
  stop(steps?: readonly EndStep[]): Promise<void>;
}

/**
 * Starts a child and watches it (spec 50: "started again with back-off, visibly"). Throws where the first start fails, and the
 * signal's reason where it was given up; the child is gone by then.
 */
export async function supervise({ name, start, record, say, signal }: SupervisedOptions): Promise<Supervised> {
  let stopping = false;
  let stopSteps: readonly EndStep[] | undefined;
  let givenUp = false;
  let wakeUp = () => undefined as void;
  /** The one that runs, or is starting. */
  let current: StartedChild | undefined;

  function begin(): Promise<StartedChild> {
    return start((child) => {
      current = child;
      record.add(name, child.known);
      void child.exited.then(() => record.remove(name, child.known));
      if (givenUp || stopping) endGivenUp(child);
    });
  }

  /** Its start notices that it has ended, and fails for that. */
  function endGivenUp(child: StartedChild): void {
    // Its start ends it once more and waits for it: a failure shows there.
    child.end(stopSteps).catch(() => undefined);
  }

  async function beginFirst(): Promise<StartedChild> {
    if (signal === undefined) return begin();
    const giveUp = () => {
      givenUp = true;
      if (current) endGivenUp(current);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', giveUp, { once: true });
    let child: StartedChild;
    try {
      child = await begin();
    } catch (error) {
      // A child that was ended for it fails to start: the reason is the signal's.
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    if (signal.aborted) await child.end();
    signal.throwIfAborted();
    return child;
  }

  function wait(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function startAgain(
    reason: string,
    livedMs: number,
    previousMs: number | undefined,
  ): Promise<{ child: StartedChild; waitMs: number } | undefined> {
    let waitMs = nextWaitMs(previousMs, livedMs);
    say(`${name} ${reason}; starting it again in ${waitMs / 1000} s.`);
    for (;;) {
      await wait(waitMs);
      if (stopping) return undefined;
      try {
        const child = await begin();
        // The stop looked when there was no program to end yet.
        if (stopping) {
          await child.end(stopSteps);
          return undefined;
        }
        say(`${name} runs again (process ${child.known.pid}).`);
        return { child, waitMs };
      } catch (error) {
        if (stopping) return undefined;
        waitMs = nextWaitMs(waitMs, 0);
        say(
          `${name} did not start: ${error instanceof Error ? error.message : String(error)} Trying again in ${waitMs / 1000} s.`,
        );
      }
    }
  }

  async function watch(first: StartedChild): Promise<void> {
    let child = first;
    let previousMs: number | undefined;
    for (;;) {
      const startedMs = performance.now();
      const exit = await child.exited;
      if (stopping) return;
      const next = await startAgain(`ended with ${describeExit(exit)}`, performance.now() - startedMs, previousMs);
      if (next === undefined) return;
      child = next.child;
      previousMs = next.waitMs;
    }
  }

  const watched = watch(await beginFirst());
  return {
    name,
    async stop(steps) {
      stopping = true;
      stopSteps = steps;
      wakeUp();
      await current?.end(steps);
      await watched;
    },
  };
}
