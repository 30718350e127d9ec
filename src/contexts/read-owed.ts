import type { Db } from '../db/pool';
import { unfinishedStages, type ContextStage, type StageStatuses } from '../domain/context-stages';
import type { RequestedContent } from './ai-request';

export interface Owed {
  readonly statuses: StageStatuses;
  readonly unfinished: readonly ContextStage[];
  readonly requestId: string;
  /** null: there is no live context; `deleted` says whether there was one. */
  readonly content: RequestedContent | null;
  readonly deleted: boolean;
}

/**
 * A context and the state of its AI work as they are now, in one statement: a delete writes both in one transaction, so what is
 * read here belongs together. Undefined: there is no state.
 */
export async function readOwed(db: Db, contextId: string): Promise<Owed | undefined> {
  const row = await db
    .selectFrom('ai.context_ai_state as state')
    .leftJoin('core.context as context', 'context.id', 'state.context_id')
    .select(['state.embedding_status', 'state.summary_status', 'state.last_request_id'])
    .select(['context.id', 'context.project_id', 'context.title', 'context.body', 'context.deleted_at'])
    .where('state.context_id', '=', contextId)
    .executeTakeFirst();
  if (!row) return undefined;
  const statuses = { embedding: row.embedding_status, summary: row.summary_status };
  const { project_id: projectId, title, body } = row;
  const isLive = projectId !== null && title !== null && body !== null && row.deleted_at === null;
  return {
    statuses,
    unfinished: unfinishedStages(statuses),
    requestId: row.last_request_id ?? `context-${contextId}`,
    content: isLive ? { contextId, projectId, title, body } : null,
    deleted: row.deleted_at !== null,
  };
}
