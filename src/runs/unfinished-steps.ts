import type { Tx } from '../db/pool';
import type { StepId } from '../domain/steps';
import type { Run } from './open-runs';

/**
 * The steps that an open run has chosen and not finished (spec 15 "Starting"): neither ended under its name, nor announced as
 * a skip, a block or not applicable, which is final for that run. A row that reclaim or release took from a dead owner is
 * `failed`, too, but stands between two attempts: nobody has ended it, so it has no completed_at.
 */
export async function unfinishedSteps(tx: Tx, run: Run): Promise<ReadonlySet<StepId>> {
  const chosen = JSON.parse(run.chosen) as StepId[];
  const ended = await tx
    .selectFrom('step_run')
    .select('step_id')
    .where('project_id', '=', run.project_id)
    .where('episode_id', '=', run.episode_id)
    .where('workflow_run_id', '=', run.workflow_run_id)
    .where((row) =>
      row.or([
        row('status', 'in', ['completed', 'partial', 'cancelled', 'not_applicable']),
        row.and([row('status', '=', 'failed'), row('completed_at', 'is not', null)]),
      ]),
    )
    .execute();
  const announced = await tx
    .selectFrom('step_decision')
    .select('step_id')
    .where('workflow_run_id', '=', run.workflow_run_id)
    .where('made_by', '=', 'announcement')
    .where('action', 'in', ['skip', 'block', 'not_applicable'])
    .execute();
  const finished = new Set([...ended, ...announced].map((row) => row.step_id));
  return new Set(chosen.filter((step) => !finished.has(step)));
}
