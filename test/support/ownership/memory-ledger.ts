import type { ProcessIdentity } from '../../../src/domain/identity';
import type { ClaimTry, End, Ledger, Seen, SeenRow } from './ledger';

/** Spec 10 in a few lines: what the ledger of PostgreSQL is compared with. Each call is one step that nothing interrupts. */
export class MemoryLedger implements Ledger {
  private row: SeenRow | null = null;
  private readonly cancelled = new Set<string>();
  private ticks = 0;

  /** A clock that goes on by a millisecond whenever it is looked at. */
  private now(): string {
    this.ticks += 1;
    return new Date(Date.UTC(2026, 2, 25) + this.ticks).toISOString();
  }

  async read(): Promise<Seen> {
    return { row: this.row, now: this.now() };
  }

  async claim({ owner, runId, workflowRunId, expected }: ClaimTry): Promise<boolean> {
    if (this.cancelled.has(workflowRunId) || !this.isStill(expected)) return false;
    const now = this.now();
    this.row = { ...ownedBy(owner), status: 'running', run_id: runId, started_at: now, heartbeat_at: now };
    return true;
  }

  async beat(owner: ProcessIdentity, runId: string): Promise<boolean> {
    return this.change(await this.mayWrite(owner, runId), (row) => ({ ...row, heartbeat_at: this.now() }));
  }

  async mayWrite(owner: ProcessIdentity, runId: string): Promise<boolean> {
    return this.row?.status === 'running' && this.row.run_id === runId && this.row.owner_boot_id === owner.bootId;
  }

  async end(owner: ProcessIdentity, runId: string, status: End): Promise<boolean> {
    return this.change(await this.mayWrite(owner, runId), (row) => ({ ...row, status }));
  }

  async reclaim(seen: SeenRow): Promise<boolean> {
    return this.change(seen.status === 'running' && this.isStill(seen), (row) => ({ ...row, status: 'failed' }));
  }

  async adopt(owner: ProcessIdentity, token: string, newRunId: string): Promise<boolean> {
    const stands = this.row?.status === 'running' && this.row.run_id === token;
    return this.change(stands, (row) => ({ ...row, ...ownedBy(owner), run_id: newRunId, heartbeat_at: this.now() }));
  }

  async cancel(workflowRunId: string): Promise<void> {
    this.cancelled.add(workflowRunId);
  }

  private change(may: boolean, to: (row: SeenRow) => SeenRow): boolean {
    if (may && this.row) this.row = to(this.row);
    return may;
  }

  /** Still exactly what was read (spec 10 "Claim"). */
  private isStill(seen: SeenRow | null): boolean {
    if (seen === null || this.row === null) return seen === this.row;
    const matched = ['status', 'run_id', 'owner_boot_id', 'started_at', 'heartbeat_at'] as const;
    return matched.every((column) => seen[column] === this.row?.[column]);
  }
}

function ownedBy(owner: ProcessIdentity) {
  return {
    owner_host: owner.host,
    owner_pid: owner.pid,
    owner_boot_id: owner.bootId,
    owner_host_id: owner.hostId,
    workflow_id: null,
    workflow_run_id: null,
    activity_id: null,
    activity_task_token: null,
  };
}
