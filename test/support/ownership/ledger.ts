import type { ProcessIdentity } from '../../../src/domain/identity';
import type { JudgedRow } from '../../../src/domain/verdict';

/** The row of the one step that everybody wants. */
export interface SeenRow extends JudgedRow {
  readonly status: string;
}

export interface Seen {
  /** null: there is no row yet. */
  readonly row: SeenRow | null;
  /** The ledger's clock at that moment. */
  readonly now: string;
}

export interface ClaimTry {
  readonly owner: ProcessIdentity;
  readonly runId: string;
  readonly workflowRunId: string;
  /** What the decision read; null: it saw no row. */
  readonly expected: SeenRow | null;
  readonly isSteal: boolean;
}

export type End = 'completed' | 'failed' | 'pending' | 'cancelled';

/** One step's row and the writes of spec 10: each answers whether it landed. In memory, and through the real functions. */
export interface Ledger {
  read(): Promise<Seen>;
  claim(attempt: ClaimTry): Promise<boolean>;
  /** The heartbeat of one run. */
  beat(owner: ProcessIdentity, runId: string): Promise<boolean>;
  /** Whether a write of the owner would land now: the fence. Changes nothing. */
  mayWrite(owner: ProcessIdentity, runId: string): Promise<boolean>;
  end(owner: ProcessIdentity, runId: string, status: End): Promise<boolean>;
  /** Start-up reclaim, sweep and release: running → failed. */
  reclaim(seen: SeenRow): Promise<boolean>;
  adopt(owner: ProcessIdentity, token: string, newRunId: string): Promise<boolean>;
  /** A cancel of this run of the workflow. */
  cancel(workflowRunId: string): Promise<void>;
}
