import type { Db, Tx } from '../db/pool';

/** The finished summaries of a project's live contexts, in order of their ids: what the world guide draws on (spec 30). */
export async function finishedSummaries(db: Db | Tx, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('core.context as context')
    .innerJoin('ai.context_ai_state as state', 'state.context_id', 'context.id')
    .innerJoin('ai.context_result as result', 'result.context_id', 'context.id')
    .select('result.result')
    .where('context.project_id', '=', projectId)
    .where('context.deleted_at', 'is', null)
    .where('state.summary_status', '=', 'COMPLETED')
    .where('result.stage', '=', 'summary')
    .orderBy('context.id')
    .execute();
  return rows.map(({ result }) => (JSON.parse(result) as { text: string }).text);
}
