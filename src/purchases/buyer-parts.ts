import type { Db } from '../db/pool';
import type { ProcessIdentity } from '../domain/identity';
import type { Logger } from '../observability/logger';
import type { ProjectConfig } from '../pipeline/project-config';
import type { Provider } from '../providers/port';
import type { ArtifactStore } from '../store/artifacts/store';
import type { CallsInFlight } from './calls-in-flight';
import type { Limits } from './limits';
import type { Eyes } from './sender-gone';
import type { Clock } from './wait';

export interface BuyerDeps extends Clock {
  readonly db: Db;
  readonly identity: ProcessIdentity;
  readonly artifacts: ArtifactStore;
  /** The provider of that name, priced as the project says. Limits are kept by the provider's name. */
  providerFor(name: string, config: ProjectConfig): Provider;
  readonly callDeadlineSeconds: { readonly text: number; readonly image: number };
  /** A request leaves only so long after its purchase was opened, in ms; 5,000 where nothing is said. */
  readonly sendWindowMs?: number;
  /** So many unreadable answers in one run of the workflow end an item; 3 where nothing is said. */
  readonly maxInvalidAnswers?: number;
  readonly log: Logger;
  /** Milliseconds, the sleep of the machine included: the send window must not span it. */
  sinceBootMs?(): number;
  /** From 0 to 1, for jitter. */
  random(): number;
  /** Aborted when a shutdown's grace is over: calls in flight are then in doubt (spec 15 "Cancel"). */
  readonly graceOver?: AbortSignal;
  /** Told when a request has left: for work that has time while its answer is awaited. */
  onSent?(): void;
  /** Does a process of this host have that pid? Only ESRCH says no. For tests. */
  pidExists?(pid: number): boolean;
}

/** The same, with what one process shares among all its calls. */
export interface BuyerParts extends BuyerDeps {
  readonly sendWindowMs: number;
  readonly maxInvalidAnswers: number;
  readonly graceOver: AbortSignal | undefined;
  readonly calls: CallsInFlight;
  readonly limits: Limits;
  readonly eyes: Eyes;
}
