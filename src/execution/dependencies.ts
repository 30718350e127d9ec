import type { StepTimes } from '../config';
import type { Db } from '../db/pool';
import type { ProcessIdentity } from '../domain/identity';
import type { StepId } from '../domain/steps';
import type { Judge } from '../domain/verdict';
import type { Logger } from '../observability/logger';
import type { ArtifactProbe, StepDefinition } from '../pipeline/definition';
import type { Buyer } from '../purchases/buyer';
import { pidExists } from '../process-identity';
import type { Registry } from './registry';

/** What judging needs: worker, API and CLI alike. An API or CLI has an empty registry (spec 10). */
export interface JudgingDependencies {
  readonly db: Db;
  readonly identity: ProcessIdentity;
  readonly times: StepTimes;
  readonly registry: Registry;
  readonly steps: Readonly<Record<StepId, StepDefinition>>;
  readonly artifacts: ArtifactProbe;
  readonly log: Logger;
}

/** What executing a step needs besides: only a worker has it. */
export interface ExecutionDependencies extends JudgingDependencies {
  readonly buyer: Buyer;
  /** A death by heartbeat may be acted on only after beats of one's own without a gap (spec 10 "Acting on a death by heartbeat"). */
  mayActOnHeartbeat(now: string): boolean;
  newId(): string;
  /** Milliseconds to wait; not cancellable. */
  sleep(ms: number): Promise<void>;
}

/** The eyes of this process. */
export function eyesOf(deps: Pick<JudgingDependencies, 'identity' | 'registry'>): Judge {
  return { identity: deps.identity, registryHolds: (runId) => deps.registry.holds(runId), pidExists };
}
