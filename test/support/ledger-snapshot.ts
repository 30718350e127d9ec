import type { StepId } from '../../src/domain/steps';
import type { World } from './world';

/** Everything of a step that a survivor of a lost lock must not touch: its row, its checkpoints, its items. */
export async function ledgerSnapshot({ db }: World, step: StepId): Promise<unknown> {
  return {
    row: await db.selectFrom('step_run').selectAll().where('step_id', '=', step).execute(),
    checkpoints: await db.selectFrom('checkpoint').selectAll().where('step_id', '=', step).orderBy('id').execute(),
    items: await db.selectFrom('item_result').selectAll().where('step_id', '=', step).orderBy('id').execute(),
  };
}
