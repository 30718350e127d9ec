import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { Expected } from '../domain/decision';
import type { ProcessIdentity } from '../domain/identity';
import type { StepKey } from './key';
import { stillExactly } from './matches';

/** The Temporal part of an owner's identity (spec 10 "Columns"). */
export interface ActivityIdentity {
  readonly workflowId: string | null;
  readonly workflowRunId: string | null;
  readonly activityId: string | null;
  /** Base64. */
  readonly taskToken: string | null;
}

export interface ClaimValues {
  readonly key: StepKey;
  /** For a row that is not there yet. */
  readonly newId: string;
  /** New for every attempt. */
  readonly runId: string;
  readonly owner: ProcessIdentity;
  readonly activity: ActivityIdentity;
  /** What the decision read; null: it saw no row, and only the INSERT may succeed. */
  readonly expected: Expected | null;
  /** Why a dead owner's row is taken; null: not a steal. */
  readonly stealReason: string | null;
  readonly promptVersion: string;
}

/**
 * The claim: one statement; it succeeded if and only if a row came back (spec 10 "Claim"). It writes the whole identity and a
 * heartbeat, clears what the last attempt left, and keeps id and created_at. Answers whether it landed.
 */
export async function claimRow(tx: Tx, values: ClaimValues): Promise<boolean> {
  const { key, owner, activity, expected } = values;
  const steal = values.stealReason !== null;
  const condition = expected === null ? sql`false` : stillExactly(expected);
  const claimed = await sql<{ run_id: string }>`
    INSERT INTO step_run (
      id, project_id, episode_id, step_id, status, run_id, prompt_version, completed_count, failed_count,
      owner_host, owner_pid, owner_boot_id, owner_host_id, workflow_id, workflow_run_id, activity_id, activity_task_token,
      started_at, heartbeat_at, created_at, updated_at, recovery_count, last_recovery_reason, barren_takeovers)
    SELECT
      ${values.newId}, ${key.projectId}, ${key.episodeId}, ${key.stepId}, 'running', ${values.runId}, ${values.promptVersion}, 0, 0,
      ${owner.host}, ${owner.pid}::integer, ${owner.bootId}, ${owner.hostId}, ${activity.workflowId}, ${activity.workflowRunId},
      ${activity.activityId}, ${activity.taskToken}, clock.now, clock.now, clock.now, clock.now, 0, NULL, 0
    FROM (SELECT callsheet_now() AS now) AS clock
    ON CONFLICT (project_id, episode_id, step_id) DO UPDATE SET
      status = 'running', run_id = EXCLUDED.run_id, prompt_version = EXCLUDED.prompt_version,
      completed_count = 0, failed_count = 0,
      owner_host = EXCLUDED.owner_host, owner_pid = EXCLUDED.owner_pid, owner_boot_id = EXCLUDED.owner_boot_id,
      owner_host_id = EXCLUDED.owner_host_id, workflow_id = EXCLUDED.workflow_id, workflow_run_id = EXCLUDED.workflow_run_id,
      activity_id = EXCLUDED.activity_id, activity_task_token = EXCLUDED.activity_task_token,
      started_at = EXCLUDED.started_at, heartbeat_at = EXCLUDED.heartbeat_at, updated_at = EXCLUDED.updated_at,
      completed_at = NULL, error_message = NULL, cancel_requested_at = NULL,
      recovery_count = step_run.recovery_count + ${steal ? 1 : 0}::integer,
      last_recovery_reason = CASE WHEN ${steal}::boolean THEN ${values.stealReason}::text ELSE step_run.last_recovery_reason END,
      barren_takeovers = COALESCE(step_run.barren_takeovers, 0) + ${steal ? 1 : 0}::integer
    WHERE ${condition}
    RETURNING run_id`.execute(tx);
  return claimed.rows.length === 1;
}
