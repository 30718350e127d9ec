import type { Db, Tx } from '../db/pool';
import type { StepKey } from '../ledger/key';
import { toCheckpoint, type Checkpoint } from './checkpoints';

/** One version of a step's checkpoint, archived or not; undefined: there is none of that number. */
export async function readSnapshot(db: Db | Tx, key: StepKey, version: number): Promise<Checkpoint | undefined> {
  const row = await db
    .selectFrom('checkpoint')
    .selectAll()
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row && toCheckpoint(row);
}
