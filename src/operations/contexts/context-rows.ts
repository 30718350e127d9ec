import type { ContextBody, WholeContextBody } from '../../bodies/contexts';
import { contentHash } from '../../contexts/content-hash';
import type { Db, Tx } from '../../db/pool';

export interface ContextFilter {
  readonly projectId?: string;
  readonly id?: string;
  readonly failedOnly?: boolean;
  readonly newestFirst?: boolean;
  readonly limit?: number;
}

/** Live contexts with the state of their AI work, without their texts: a list of them would be megabytes. Reads only. */
function contextQuery(db: Db | Tx, filter: ContextFilter) {
  const { projectId, id, limit, failedOnly, newestFirst } = filter;
  return db
    .selectFrom('core.context as context')
    .innerJoin('ai.context_ai_state as state', 'state.context_id', 'context.id')
    .leftJoin('ai.context_result as result', (join) =>
      join.onRef('result.context_id', '=', 'context.id').on('result.stage', '=', 'summary'),
    )
    .select(['context.id', 'context.project_id', 'context.title', 'context.created_at', 'context.updated_at'])
    .select([
      'state.embedding_status',
      'state.summary_status',
      'state.retry_count',
      'state.last_failure',
      'result.result',
    ])
    .where('context.deleted_at', 'is', null)
    .$if(projectId !== undefined, (query) => query.where('context.project_id', '=', projectId!))
    .$if(id !== undefined, (query) => query.where('context.id', '=', id!))
    .$if(failedOnly === true, (query) =>
      query.where((row) =>
        row.or([row('state.embedding_status', '=', 'FAILED'), row('state.summary_status', '=', 'FAILED')]),
      ),
    )
    .orderBy('context.id', newestFirst ? 'desc' : 'asc')
    .$if(limit !== undefined, (query) => query.limit(limit!));
}

type ContextRow = Awaited<ReturnType<ReturnType<typeof contextQuery>['execute']>>[number];

export async function contextRows(db: Db | Tx, filter: ContextFilter): Promise<ContextBody[]> {
  return (await contextQuery(db, filter).execute()).map(bodyOf);
}

/** With its text; undefined: there is no such live context. */
export async function wholeContextRow(db: Db | Tx, id: string): Promise<WholeContextBody | undefined> {
  const row = await contextQuery(db, { id }).select('context.body').executeTakeFirst();
  return row && { ...bodyOf(row), body: row.body, contentHash: contentHash(row) };
}

function bodyOf(row: ContextRow): ContextBody {
  const isSummarized = row.summary_status === 'COMPLETED' && row.result !== null;
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    stages: { embedding: row.embedding_status, summary: row.summary_status },
    retryCount: row.retry_count,
    lastFailure: row.last_failure,
    summary: isSummarized ? (JSON.parse(row.result!) as { text: string }).text : null,
  };
}
