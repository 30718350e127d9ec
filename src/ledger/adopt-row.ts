import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { ProcessIdentity } from '../domain/identity';
import type { ActivityIdentity } from './claim-row';
import type { StepKey } from './key';

/**
 * The second activity of an editor step takes the row over under the first one's token, with a whole new identity, a new
 * run_id and a fresh heartbeat (spec 15 "Handing over"). From then on every write of the first process misses at the fence.
 */
export async function adoptRow(
  tx: Tx,
  key: StepKey,
  adoption: {
    readonly token: string;
    readonly newRunId: string;
    readonly owner: ProcessIdentity;
    readonly activity: ActivityIdentity;
  },
): Promise<boolean> {
  const { owner, activity } = adoption;
  const adopted = await tx
    .updateTable('step_run')
    .set({
      run_id: adoption.newRunId,
      owner_host: owner.host,
      owner_pid: owner.pid,
      owner_boot_id: owner.bootId,
      owner_host_id: owner.hostId,
      workflow_id: activity.workflowId,
      workflow_run_id: activity.workflowRunId,
      activity_id: activity.activityId,
      activity_task_token: activity.taskToken,
      heartbeat_at: sql`callsheet_now()`,
      updated_at: sql`callsheet_now()`,
    })
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('run_id', '=', adoption.token)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return adopted !== undefined;
}
