import type { SafePoint, Stop } from '../domain/stop';
import type { Provider } from '../providers/port';
import { LONGEST_ADVISED_MS } from './back-off';
import { Gate } from './gate';
import { POLL_MS, type Clock } from './wait';

export interface Slot {
  /** A request leaves: it counts against the minute. */
  keep(): void;
  /** The call is over, or did not happen. */
  leave(): void;
}

export type Entry =
  | { readonly entry: 'slot'; readonly slot: Slot }
  | { readonly entry: 'stopped'; readonly stop: Stop }
  /** The provider has asked everybody to wait longer than a step may. */
  | { readonly entry: 'paused'; readonly resumeAfterMs: number };

/** Calls at once and calls a minute of each provider, shared by all steps of this process (spec 40 "Limits"). */
export interface Limits {
  /** Waits for a place; asks the safe point each second meanwhile, and before it goes in. A slot must be left, once. */
  enter(provider: Provider, safePoint: SafePoint): Promise<Entry>;
  /** The provider said when to come back: nobody of this process calls it before. */
  pause(provider: string, ms: number): void;
}

function takeSlot(gate: Gate, ticket: symbol, nowMs: number): Slot {
  gate.goIn(ticket, nowMs);
  let kept = false;
  return {
    keep: () => {
      kept = true;
    },
    leave: () => {
      if (!kept) gate.forget(nowMs);
      gate.goOut();
    },
  };
}

async function waitForPlace(
  gate: Gate,
  ticket: symbol,
  provider: Provider,
  clock: Clock,
  safePoint: SafePoint,
): Promise<Entry> {
  let askedAtMs = clock.monotonicMs();
  let waited = false;
  for (;;) {
    const nowMs = clock.monotonicMs();
    // Whoever has waited asks once more before it goes in: a stop may have come in the second since it asked.
    const goesIn = gate.pausedForMs(nowMs) <= 0 && gate.remainingMs(ticket, provider.limits, nowMs) <= 0;
    if (nowMs - askedAtMs >= POLL_MS || (waited && goesIn)) {
      const stop = await safePoint();
      if (stop) return { entry: 'stopped', stop };
      askedAtMs = clock.monotonicMs();
      waited = false;
      continue;
    }
    const resumeAfterMs = gate.pausedForMs(nowMs);
    if (resumeAfterMs > LONGEST_ADVISED_MS) return { entry: 'paused', resumeAfterMs };
    const remaining = gate.remainingMs(ticket, provider.limits, nowMs);
    if (remaining <= 0) return { entry: 'slot', slot: takeSlot(gate, ticket, nowMs) };
    const pollMs = Math.max(1, askedAtMs + POLL_MS - clock.monotonicMs());
    await Promise.race([clock.sleep(Math.min(pollMs, remaining)), gate.changed()]);
    waited = true;
  }
}

export function createLimits(clock: Clock): Limits {
  const gates = new Map<string, Gate>();
  const gateOf = (name: string): Gate => {
    const gate = gates.get(name) ?? new Gate();
    gates.set(name, gate);
    return gate;
  };
  return {
    async enter(provider, safePoint) {
      const gate = gateOf(provider.name);
      const ticket = gate.join();
      try {
        return await waitForPlace(gate, ticket, provider, clock, safePoint);
      } finally {
        gate.leaveQueue(ticket);
      }
    },
    pause: (name, ms) => gateOf(name).pauseUntil(clock.monotonicMs() + ms),
  };
}
