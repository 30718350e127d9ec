import type { Held } from '../ledger/held';

/** claiming: registered before the claim, not beaten. held: beaten. parked: an editor's first activity is done, still beaten. */
export type EntryState = 'claiming' | 'held' | 'parked';

export interface RegistryEntry {
  readonly held: Held;
  readonly state: EntryState;
  /** The beat found another owner (spec 10 "Heartbeat"). */
  readonly lost: boolean;
}

export interface RegistryListener {
  onHold(held: Held): void;
  onDrop(runId: string): void;
}

/**
 * The runs that this process claims or holds (spec 10 "Claim"). A run is registered before its claim, so that a sibling never
 * sees branch 1 in the gap, and dropped only after the write that ends it is committed, or ownership is lost.
 */
export class Registry {
  private readonly entries = new Map<
    string,
    { held: Held; state: EntryState; lost: boolean; onLost: (() => void)[] }
  >();
  private listener: RegistryListener | null = null;

  /** The heartbeat; told of what is held already, too. */
  listen(listener: RegistryListener): void {
    this.listener = listener;
    for (const entry of this.entries.values()) if (entry.state !== 'claiming') listener.onHold(entry.held);
  }

  register(held: Held): void {
    this.entries.set(held.runId, { held, state: 'claiming', lost: false, onLost: [] });
  }

  hold(runId: string): void {
    this.become(runId, 'held');
  }

  park(runId: string): void {
    this.become(runId, 'parked');
  }

  private become(runId: string, state: EntryState): void {
    const entry = this.entries.get(runId);
    if (!entry) throw new Error(`The registry does not hold run ${runId}.`);
    const beaten = entry.state !== 'claiming';
    entry.state = state;
    if (!beaten) this.listener?.onHold(entry.held);
  }

  drop(runId: string): void {
    if (this.entries.delete(runId)) this.listener?.onDrop(runId);
  }

  /** The beat found that the row is another's: its step is told, and stops at its next safe point. */
  lose(runId: string): void {
    const entry = this.entries.get(runId);
    if (!entry || entry.state === 'claiming') return;
    entry.lost = true;
    for (const tell of entry.onLost) tell();
    if (entry.state === 'parked') this.drop(runId); // adopted by the second activity: no loss
  }

  onLost(runId: string, tell: () => void): void {
    this.entries.get(runId)?.onLost.push(tell);
  }

  /** For the verdict: claiming counts, too. */
  holds(runId: string): boolean {
    return this.entries.has(runId);
  }

  isLost(runId: string): boolean {
    const entry = this.entries.get(runId);
    return entry === undefined || entry.lost;
  }

  all(): readonly RegistryEntry[] {
    return [...this.entries.values()];
  }
}
