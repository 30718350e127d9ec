import { setTimeout as wait } from 'node:timers/promises';

/** Waits, or ends early when the session is over. Never throws for the abort: the caller looks at the signal. */
export async function waitOrAbort(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
