import type { ExplainBody } from '../../bodies/explain';
import type { Db } from '../../db/pool';
import { withDatabaseErrors } from '../../db/errors';
import type { EpisodeRef } from '../contract';
import { pastDecisionOf } from './decision-row';

export interface ExplainFilter {
  /** Only this attempt's run id, or this workflow run id. */
  readonly run?: string;
  /** At most this many, newest first. */
  readonly limit: number;
}

/** The decisions that runs of a step started with, newest first (spec 20 "Explain"). Reads only. Throws db.unavailable. */
export async function explainStep(
  db: Db,
  { projectId, episodeId }: EpisodeRef,
  stepId: string,
  filter: ExplainFilter,
): Promise<ExplainBody> {
  const { run } = filter;
  const rows = await withDatabaseErrors('Reading the decisions failed', () =>
    db
      .selectFrom('step_decision')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('episode_id', '=', episodeId)
      .where('step_id', '=', stepId)
      .$if(run !== undefined, (query) =>
        query.where((expression) =>
          expression.or([expression('run_id', '=', run ?? ''), expression('workflow_run_id', '=', run ?? '')]),
        ),
      )
      .orderBy('id', 'desc')
      .limit(filter.limit)
      .execute(),
  );
  return { projectId, episodeId, stepId, decisions: rows.map(pastDecisionOf) };
}
