import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until `probe` answers something other than false, null or undefined, and returns that. Waits for the
 * condition itself, so that a busy machine makes a test slow and never red. Throws after `withinMs`, saying what never came true
 * and the last error of the probe.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  { withinMs = 150_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + withinMs;
  let last: unknown;
  do {
    try {
      const answer = await probe();
      if (answer !== false && answer !== null && answer !== undefined)
        return answer as Exclude<T, false | null | undefined>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await pause(everyMs);
  } while (performance.now() < end);
  throw new Error(`Within ${withinMs} ms it never came true that ${what}.`, { cause: last });
}
