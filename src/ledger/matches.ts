import { sql, type Expression, type SqlBool } from 'kysely';
import type { Expected } from '../domain/decision';
import type { StepRun } from '../db/tables';

/**
 * The row is still exactly what was read, NULL-safe: an old row has no heartbeat and may have no run_id (spec 10 "Still
 * exactly"). For a running row this is what makes a steal, a reclaim and a release safe.
 */
export function stillExactly(expected: Expected): Expression<SqlBool> {
  return sql<SqlBool>`(
    step_run.status = ${expected.status}
    AND step_run.run_id IS NOT DISTINCT FROM ${expected.run_id}::text
    AND step_run.owner_boot_id IS NOT DISTINCT FROM ${expected.owner_boot_id}::text
    AND step_run.started_at IS NOT DISTINCT FROM ${expected.started_at}::text
    AND step_run.heartbeat_at IS NOT DISTINCT FROM ${expected.heartbeat_at}::text)`;
}

export function expectedOf(row: StepRun): Expected {
  return {
    status: row.status,
    run_id: row.run_id,
    owner_boot_id: row.owner_boot_id,
    started_at: row.started_at,
    heartbeat_at: row.heartbeat_at,
  };
}
