import type { Action } from '../domain/decision';
import type { Origin } from '../domain/completion';
import type { ErrorCode } from '../domain/errors';
import type { RunState } from '../domain/status';
import type { StepId } from '../domain/steps';

/** What passes between workflows and activities: ids and small values only, never prompts, checkpoints or keys (spec 15). */

export interface RunInput {
  readonly projectId: string;
  readonly episodeId: string;
  readonly chosen: readonly StepId[];
  readonly force: readonly StepId[];
  readonly items: Readonly<Partial<Record<StepId, readonly string[]>>>;
  readonly requestId: string;
  /** The database's clock when the door took the request in. */
  readonly acceptedAt: string;
  readonly by: string;
  readonly planToken: string | null;
  readonly budgetUsd: number | null;
  /** Settings that shape timeouts; they stand here, since workflow code may read no environment. */
  readonly leaseSeconds: number;
  readonly sweepSeconds: number;
}

export interface DecisionSummary {
  readonly stepId: StepId;
  readonly action: Action;
  readonly origin: Origin | null;
  readonly code: ErrorCode | null;
  /** Shortened to 300 characters. */
  readonly reason: string;
}

/** What became of a start; the answer of the update `start`. */
export interface OpenedRun {
  readonly outcome: 'opened' | 'nothing' | 'blocked' | 'already_running';
  /** Under which the ledger knows this run: the workflow run that opened it, also after a reset. */
  readonly ledgerRunId: string;
  readonly requestId: string;
  /** Another workflow run has opened this request before: this one only repeats the answer, and runs nothing. */
  readonly answeredBefore?: boolean;
  readonly decisions: readonly DecisionSummary[];
  readonly code: ErrorCode | null;
  readonly reason: string | null;
  /** Under plan.outdated: what has changed since the plan was made. */
  readonly differences?: readonly string[];
}

export interface StepTurn {
  readonly run: RunInput;
  readonly ledgerRunId: string;
  /** The first run of this workflow's chain: what a reset came from. */
  readonly firstRunId: string;
  readonly stepId: StepId;
}

export interface Announcement extends DecisionSummary {
  /** The run that was judged dead, where there was one. */
  readonly deadRunId: string | null;
}

export interface StepAttempt extends StepTurn {
  readonly announcedDeadRunId: string | null;
  /** Of an editor step's second activity: under which it adopts the row. */
  readonly adoptToken: string | null;
}

export type StepEnd = 'completed' | 'partial' | 'failed' | 'cancelled' | 'not_applicable' | 'blocked';

export interface StepResult {
  readonly status: StepEnd | 'parked';
  readonly code: ErrorCode | null;
  /** Shortened to 300 characters. */
  readonly reason: string;
  /** Set where the status is `parked`. */
  readonly adoptToken: string | null;
}

export interface CancelRequest {
  readonly ledgerRunId: string;
  readonly projectId: string;
  readonly episodeId: string;
  /** null: everything. */
  readonly steps: readonly StepId[] | null;
  readonly by: string;
}

export interface CloseRequest {
  readonly run: RunInput;
  readonly ledgerRunId: string;
  readonly results: Readonly<Partial<Record<StepId, StepEnd>>>;
}

/** `waiting`: a row that bears this run is still running under a live owner; ask again (spec 15 "Cancel"). */
export interface CloseAnswer {
  readonly waiting: boolean;
  readonly state: RunState;
}

export interface RunResult {
  readonly state: RunState;
  readonly code: ErrorCode | null;
  readonly reason: string | null;
  readonly result: Readonly<Partial<Record<StepId, StepEnd>>>;
}

export interface RunProgress {
  readonly opened: OpenedRun | null;
  readonly cancelling: boolean;
  readonly steps: Readonly<Partial<Record<StepId, 'waiting' | 'deciding' | 'running' | 'refreshing' | StepEnd>>>;
}

/** The activities, as the workflow sees them; src/activities implements them. */
export interface EpisodeActivities {
  openRun(run: RunInput, firstRunId: string): Promise<OpenedRun>;
  announceStep(turn: StepTurn): Promise<Announcement>;
  runStep(attempt: StepAttempt): Promise<StepResult>;
  refreshStep(attempt: StepAttempt): Promise<StepResult>;
  recordCancel(request: CancelRequest): Promise<void>;
  closeRun(request: CloseRequest): Promise<CloseAnswer>;
}
