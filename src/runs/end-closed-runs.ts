import type { Db } from '../db/pool';
import type { RunState } from '../domain/status';
import type { Logger } from '../observability/logger';
import { endRun } from './open-runs';

/** Ends in the ledger the runs that Temporal knows as closed: terminated, timed out, or gone (spec 15 "Starting"). */
export async function endClosedRuns(deps: {
  readonly db: Db;
  readonly log: Logger;
  stateInTemporal(workflowId: string, workflowRunId: string): Promise<RunState | null>;
}): Promise<number> {
  const open = await deps.db
    .selectFrom('run')
    .select(['workflow_id', 'workflow_run_id'])
    .where('ended_at', 'is', null)
    .execute();
  let ended = 0;
  for (const run of open) {
    const state = await deps.stateInTemporal(run.workflow_id, run.workflow_run_id);
    if (state === null) continue;
    await endRun(deps.db, run.workflow_run_id, state);
    deps.log.warn({ ...run, state }, 'a run that Temporal has closed is ended in the ledger');
    ended += 1;
  }
  return ended;
}
