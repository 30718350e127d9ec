import type { DecisionBody } from '../bodies/decision';
import type { LocksBody } from '../bodies/locks';
import type { PlanBody } from '../bodies/plan';
import type { RestoreBody } from '../bodies/restore';
import type { ToggleBody } from '../bodies/toggle';
import type { ErrorCode } from '../domain/errors';
import type { RunState } from '../domain/status';
import type { Verdict } from '../domain/verdict';
import type { ContextOperations } from './contexts/contract';
import type { RescanOperations } from './rescan/contract';

/** What all doors call: CLI, HTTP and console are faces of these (spec 00 "The parts"). */

export interface EpisodeRef {
  readonly projectId: string;
  readonly episodeId: string;
}

export interface PutEpisode extends EpisodeRef {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly by: string;
}

export interface EpisodePut {
  readonly created: boolean;
  /** The text differs from what was stored: every step is stale. */
  readonly changed: boolean;
  readonly screenplayVersion: number;
  readonly title: string;
}

export interface ToggleShot extends EpisodeRef {
  readonly shotId: string;
  readonly on: boolean;
  readonly by: string;
}

/** Which steps and items a plan or a run is about (spec 20: `steps` and `from` only choose; `force` and `items` force). */
export interface Choice extends EpisodeRef {
  readonly steps?: readonly string[];
  readonly from?: string;
  readonly force?: readonly string[];
  /** Step id to item ids: exactly these items are asked again. */
  readonly items?: Readonly<Record<string, readonly string[]>>;
}

export interface StartRequest extends Choice {
  readonly planToken?: string;
  readonly budgetUsd?: number;
  /** Same id: the same answer again (spec 15 "Starting"). Made where absent. */
  readonly requestId?: string;
  readonly by: string;
}

export interface StartAnswer {
  /** `queued`: started, and no worker has taken it within 10 s. `blocked`: refused with `code`; nothing has changed. */
  readonly outcome: 'nothing_to_start' | 'started' | 'queued' | 'blocked';
  readonly workflowId: string;
  /** Temporal's run id; null where nothing was started. */
  readonly runId: string | null;
  readonly url: string | null;
  readonly decisions: readonly DecisionBody[];
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** Under plan.outdated: what has changed since the plan was made. */
  readonly differences?: readonly string[];
  /** With run.already_running: the open run that is in the way. */
  readonly inTheWay?: WorkflowRef & { readonly url: string | null };
}

export interface WorkflowRef {
  readonly workflowId: string;
  readonly workflowRunId: string;
}

/** Temporal's own UI, for links. */
export interface TemporalUi {
  readonly url: string;
  /** The one that our workflows are in: another one's page shows nothing of them. */
  readonly namespace: string;
}

export interface OpenRun extends WorkflowRef {
  readonly requestId: string;
  readonly state: string;
}

/** How a run ended: the worst of its steps, and each chosen step's status. */
export interface RunResult {
  readonly state: RunState;
  readonly result: Readonly<Record<string, string>>;
}

export interface CancelAnswer {
  readonly state: 'requested';
  readonly steps: readonly string[];
  readonly runs: readonly string[];
  readonly warning?: string;
}

export interface ReleaseRequest {
  readonly projectId?: string;
  readonly episodeId?: string;
  readonly stepId?: string;
  /** Instead of the three above: the row's id in step_run. */
  readonly rowId?: string;
  readonly force?: boolean;
  /** With force: the run id that the operator saw. */
  readonly runId?: string;
  readonly reason?: string;
  readonly by: string;
  /** Told what it waits for, one line for people at a time. */
  say?(line: string): void;
}

export interface ReleaseAnswer {
  readonly released: true;
  readonly verdict: Verdict['verdict'];
  readonly branch: Verdict['branch'];
  readonly reason: string;
  /** Temporal was not told. */
  readonly warning?: string;
}

export interface RestoreRequest extends EpisodeRef {
  readonly stepId: string;
  readonly version: number;
  readonly by: string;
}

export interface Operations {
  readonly contexts: ContextOperations;
  readonly rescan: RescanOperations;
  /** Throws screenplay.* for bytes that are none, run.already_running where another text meets an open run. */
  putEpisode(input: PutEpisode): Promise<EpisodePut>;
  /** Throws episode.unknown, step.unknown, id.invalid; a block is an outcome. */
  startRun(input: StartRequest): Promise<StartAnswer>;
  /** The open run of the episode as a whole, if there is one. */
  openRunOf(projectId: string, episodeId: string): Promise<OpenRun | null>;
  /** A person attaches to an open run: what killed its owners is counted anew (spec 10). */
  attach(projectId: string, episodeId: string): Promise<void>;
  /** Resolves when the workflow has ended. Throws temporal.unavailable. */
  waitForRun(ref: WorkflowRef): Promise<RunResult>;
  /** Throws step.not_running; temporal.unavailable where the cancel stands and the workflow was not told. */
  cancel(input: EpisodeRef & { readonly step?: string; readonly by: string }): Promise<CancelAnswer>;
  /** Throws step.not_running, step.owner_alive, step.state_changed. */
  release(input: ReleaseRequest): Promise<ReleaseAnswer>;
  locks(input: { readonly projectId?: string; readonly episodeId?: string }): Promise<LocksBody>;
  /** Throws episode.unknown, shot.unknown, step.already_running while the image step runs. */
  toggleShot(input: ToggleShot): Promise<ToggleBody>;
  /** Makes an earlier version of a checkpoint count again. Throws snapshot.unknown, step.already_running, step.downstream_running, step.resume_blocked. */
  restoreSnapshot(input: RestoreRequest): Promise<RestoreBody>;
  /** Writes nothing. Throws episode.unknown, step.unknown, step.item_unknown. */
  plan(input: Choice & { readonly assume?: readonly string[] }): Promise<PlanBody>;
}
