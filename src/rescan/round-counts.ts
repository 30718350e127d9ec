import type { AskFailure } from '../domain/context-stages';

/** What a round did (spec 30 "What the operator sees"). */
export interface RoundCounts {
  /** Rows whose unfinished stages became FAILED. */
  readonly finalized: number;
  readonly claimed: number;
  readonly sent: number;
  readonly failed: number;
  readonly failures: Readonly<Partial<Record<AskFailure, number>>>;
  /** Rows with stages owed and no live context. */
  readonly inconsistent: number;
  /** Claimed, and finished or cancelled before they were asked for. */
  readonly unneeded: number;
  /** Claimed, and left to the next round: this one was told to stop. */
  readonly left: number;
  readonly durationMs: number;
}
