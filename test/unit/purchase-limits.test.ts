import type { Stop } from '../../src/domain/stop';
import { backOffMs } from '../../src/purchases/back-off';
import { createLimits, type Entry } from '../../src/purchases/limits';
import type { Provider } from '../../src/providers/port';

/** A clock that moves only when somebody sleeps. */
function createClock() {
  let nowMs = 0;
  return {
    monotonicMs: () => nowMs,
    sleep: (ms: number) =>
      Promise.resolve().then(() => {
        nowMs += ms;
      }),
  };
}

const provider = (concurrentCalls: number, callsPerMinute: number): Provider => ({
  name: 'any',
  honoursIdempotencyKey: false,
  limits: { concurrentCalls, callsPerMinute },
  estimateUsd: () => 0,
  send: () => Promise.reject(new Error('not sent in this test')),
});
const goOn = () => Promise.resolve<Stop | null>(null);

function slotOf(entry: Entry) {
  if (entry.entry !== 'slot') throw new Error(`no slot: ${entry.entry}`);
  return entry.slot;
}

describe('the limits of a provider', () => {
  it('let the calls of one minute through, and the next one only after the oldest is a minute old', async () => {
    const clock = createClock();
    const limits = createLimits(clock);
    for (let call = 0; call < 3; call += 1) {
      const slot = slotOf(await limits.enter(provider(9, 3), goOn));
      slot.keep();
      slot.leave();
    }
    expect(clock.monotonicMs()).toBe(0);
    slotOf(await limits.enter(provider(9, 3), goOn));
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(60_000);
  });

  it('do not count a call that did not leave', async () => {
    const clock = createClock();
    const limits = createLimits(clock);
    slotOf(await limits.enter(provider(9, 1), goOn)).leave();
    slotOf(await limits.enter(provider(9, 1), goOn));
    expect(clock.monotonicMs()).toBe(0);
  });

  it('let go of one who is stopped while he waits; the next in the queue gets the place', async () => {
    const limits = createLimits(createClock());
    const first = slotOf(await limits.enter(provider(1, 99), goOn));
    const stopped = await limits.enter(provider(1, 99), () => Promise.resolve({ why: 'cancelled' }));
    expect(stopped).toEqual({ entry: 'stopped', stop: { why: 'cancelled' } });
    const waiting = limits.enter(provider(1, 99), goOn);
    first.leave();
    slotOf(await waiting);
  });

  it('keep everybody out for as long as the provider said', async () => {
    const clock = createClock();
    const limits = createLimits(clock);
    limits.pause('any', 5_000);
    slotOf(await limits.enter(provider(9, 99), goOn));
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(5_000);
    limits.pause('any', 16 * 60_000);
    expect(await limits.enter(provider(9, 99), goOn)).toMatchObject({ entry: 'paused', resumeAfterMs: 960_000 });
  });
});

describe('back-off', () => {
  it('grows, stays under its cap, is spread by chance, and never undercuts what was advised', () => {
    expect(backOffMs(1, undefined, 0)).toBe(250);
    expect(backOffMs(2, undefined, 1)).toBe(1_000);
    expect(backOffMs(50, undefined, 1)).toBe(30_000);
    expect(backOffMs(1, 2_000, 0)).toBe(2_000);
    expect(backOffMs(1, 0, 0)).toBeGreaterThan(0);
    expect(backOffMs(1, 9_999_999_999_000, 1)).toBe(2 ** 31 - 1);
  });
});
