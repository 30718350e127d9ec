import type { ExecutionDependencies } from '../execution/dependencies';
import type { RunState } from '../domain/status';
import type { ActivityHeartbeats } from './heartbeats';
import type { ShutdownSignal } from './stop-requested';

/** What the activities of a worker need. */
export interface ActivityDependencies extends ExecutionDependencies {
  readonly heartbeats: ActivityHeartbeats;
  readonly shutdown: ShutdownSignal;
  /** What Temporal says of a run: null while it is open, else the state to end it with in the ledger. */
  stateInTemporal(workflowId: string, workflowRunId: string): Promise<RunState | null>;
}
