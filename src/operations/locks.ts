import type { LockBody, LocksBody } from '../bodies/locks';
import { withDatabaseErrors } from '../db/errors';
import type { StepRun } from '../db/tables';
import { judgeRow } from '../execution/decide-step';
import { readRows } from '../ledger/read-rows';
import type { OperationDependencies } from './dependencies';

/**
 * Every running row with its owner, ages, verdict, branch, proof and reason, as this process sees it (spec 10 "Locks"). Reading
 * changes nothing. Without an episode or a project: all of them.
 */
export async function readLocks(
  deps: Pick<OperationDependencies, 'db' | 'identity' | 'registry' | 'times' | 'steps' | 'artifacts' | 'log' | 'role'>,
  input: { readonly projectId?: string; readonly episodeId?: string },
): Promise<LocksBody> {
  const { rows, now } = await withDatabaseErrors('Reading the locks', () =>
    readRows(deps.db, { ...input, status: 'running' }),
  );
  return {
    now,
    seenBy: { role: deps.role, host: deps.identity.host, pid: deps.identity.pid },
    locks: rows.map((row) => lockOf(row, judgeRow(deps, row, now))),
  };
}

function lockOf(row: StepRun, verdict: ReturnType<typeof judgeRow>): LockBody {
  const named =
    row.owner_host !== null || row.owner_pid !== null || row.owner_boot_id !== null || row.owner_host_id !== null;
  return {
    id: row.id,
    recoveryCount: row.recovery_count,
    projectId: row.project_id,
    episodeId: row.episode_id,
    stepId: row.step_id,
    runId: row.run_id,
    owner: named
      ? { host: row.owner_host, hostId: row.owner_host_id, pid: row.owner_pid, bootId: row.owner_boot_id }
      : null,
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    cancelRequestedAt: row.cancel_requested_at,
    ...verdict,
  };
}
