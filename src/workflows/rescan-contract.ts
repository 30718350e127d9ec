import type { AskFailure } from '../domain/context-stages';

/** What passes between the rescan's workflow, its activity and those who ask it (spec 30). */

/** How a worker is configured. */
export interface LoopSettings {
  /** From the end of a round to the next one. */
  readonly intervalMs: number;
  /** How long a round may take. */
  readonly limitMs: number;
}

/** How a round ran, as the activity answers it; the settings are those of where it ran. */
export interface RoundReport extends LoopSettings {
  readonly finalized: number;
  readonly claimed: number;
  readonly sent: number;
  readonly failed: number;
  readonly failures: Readonly<Partial<Record<AskFailure, number>>>;
  readonly inconsistent: number;
  readonly unneeded: number;
  readonly left: number;
  readonly durationMs: number;
}

export interface RoundRequest {
  /** Absent from a loop of the release before. */
  readonly rounds?: LoopRounds;
}

/** The rounds that have ended since a loop was started. Absolute numbers: told twice, or late, they count once. */
export interface LoopRounds {
  /** The id of the loop's first run. */
  readonly loop: string;
  readonly done: number;
  readonly failed: number;
}

/** The last round, as the query shows it. Times in milliseconds since 1970, of Temporal's clock. */
export interface LastRound {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** null where the round failed or hung. */
  readonly report: RoundReport | null;
  readonly failure: string | null;
}

export interface RescanStatus {
  readonly paused: boolean;
  /** A round is under way. */
  readonly running: boolean;
  /** A round was asked for, and has not begun. */
  readonly runNow: boolean;
  /** Rounds that were begun, since the loop was started. */
  readonly begun: number;
  readonly failed: number;
  readonly lastRound: LastRound | null;
  /** null: paused, or a round is under way. */
  readonly nextDueAtMs: number | null;
  readonly intervalMs: number;
}

/** What the loop begins with, and what it hands to itself before its history grows. */
export interface RescanInput extends LoopSettings {
  /** Length of history from which the loop goes on as a new run; absent: far below the server's limit. */
  readonly historyEvents?: number;
  readonly carried?: Carried;
}

export interface Carried {
  readonly paused: boolean;
  readonly runNow: boolean;
  readonly begun: number;
  readonly failed: number;
  readonly lastRound: LastRound | null;
  readonly dueAtMs: number;
}

export interface RescanActivities {
  rescanRound(request: RoundRequest): Promise<RoundReport>;
}
