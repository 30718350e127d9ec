import type { Db } from '../../src/db/pool';
import type { StepId } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import type { EntityT2i } from '../../src/pipeline/entity-t2i/schema';
import type { SceneDetail } from '../../src/pipeline/scene-detail/schema';
import { currentCheckpoints } from '../../src/store/checkpoints';

/** What tests look at in the database after a run. */

export async function statusesOf(db: Db, episode: EpisodeRef): Promise<Readonly<Partial<Record<StepId, string>>>> {
  const rows = await db
    .selectFrom('step_run')
    .select(['step_id', 'status'])
    .where('project_id', '=', episode.projectId)
    .where('episode_id', '=', episode.episodeId)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.step_id, row.status]));
}

/** Items with a stale mark, as `step:item`, in order. */
export async function marksOf(db: Db, episode: EpisodeRef): Promise<string[]> {
  const rows = await db
    .selectFrom('stale_mark')
    .select(['step_id', 'item_id'])
    .where('project_id', '=', episode.projectId)
    .where('episode_id', '=', episode.episodeId)
    .execute();
  return rows.map((row) => `${row.step_id}:${row.item_id}`).sort();
}

export async function versionsOf(db: Db, episode: EpisodeRef): Promise<Readonly<Record<string, number>>> {
  const all = await currentCheckpoints(db, episode.projectId, episode.episodeId);
  return Object.fromEntries([...all].map(([step, checkpoint]) => [step, checkpoint.version]));
}

export async function bodyOf<T>(db: Db, episode: EpisodeRef, step: StepId): Promise<T> {
  const all = await currentCheckpoints(db, episode.projectId, episode.episodeId);
  return all.get(step)?.body as T;
}

export const detailOf = (db: Db, episode: EpisodeRef) => bodyOf<SceneDetail>(db, episode, 'scene_detail');
export const entitiesOf = (db: Db, episode: EpisodeRef) => bodyOf<EntityT2i>(db, episode, 'entity_t2i');

/** The acts in the audit table of an episode, in order. */
export async function actsOf(db: Db, episode: EpisodeRef) {
  return db
    .selectFrom('audit')
    .select(['act', 'by', 'step_id', 'details'])
    .where('project_id', '=', episode.projectId)
    .where('episode_id', '=', episode.episodeId)
    .orderBy('id')
    .execute();
}

/** Sets a row as another tool or a person would, behind everybody's back. */
export async function patchRow(
  db: Db,
  episode: EpisodeRef,
  step: StepId,
  change: Readonly<Record<string, string | null>>,
): Promise<void> {
  await db
    .updateTable('step_run')
    .set(change)
    .where('project_id', '=', episode.projectId)
    .where('episode_id', '=', episode.episodeId)
    .where('step_id', '=', step)
    .execute();
}
