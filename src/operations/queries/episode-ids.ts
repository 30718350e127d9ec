import { withDatabaseErrors } from '../../db/errors';
import type { Db } from '../../db/pool';

/** Every episode id of a project that stands in a record or in step_run, sorted. Throws db.unavailable. */
export async function episodeIdsOf(db: Db, projectId: string): Promise<string[]> {
  const rows = await withDatabaseErrors('Reading the episodes failed', () =>
    db
      .selectFrom('episode')
      .select('episode_id')
      .where('project_id', '=', projectId)
      .union(
        db
          .selectFrom('step_run')
          .select((expression) => expression.ref('episode_id').$notNull().as('episode_id'))
          .where('project_id', '=', projectId)
          .where('episode_id', 'is not', null),
      )
      .orderBy('episode_id')
      .execute(),
  );
  return rows.map((row) => row.episode_id);
}
