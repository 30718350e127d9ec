import type { ContextBody, ContextsBody } from '../../bodies/contexts';
import type { RetriedBody } from '../../bodies/rescan';
import { owedAfterRetry } from '../../contexts/write-state';
import type { Db } from '../../db/pool';
import { withDatabaseErrors } from '../../db/errors';
import { shortTransaction } from '../../db/transaction';
import { AppError } from '../../domain/errors';
import { checkContextId, checkId } from '../../domain/ids';
import { audit } from '../../store/audit';
import { contextRows } from '../contexts/context-rows';
import { unknownContext } from '../contexts/write';
import type { RescanDependencies } from './dependencies';

/**
 * A FAILED context is asked for again, at once (spec 30): the whole allowance of retries, and the request follows the commit. Why
 * it had failed stays in the audit table. Throws context.unknown, context.not_failed.
 */
export async function retryContext(
  deps: RescanDependencies,
  input: { readonly id: string; readonly by: string },
): Promise<RetriedBody> {
  const retried = await resetFailed(deps.db, checkContextId(input.id), input.by, deps.newId());
  deps.asking.begin(retried.id);
  return { retried: [retried] };
}

/** All FAILED contexts of a project; one that a report or another person mends meanwhile is left alone. Throws id.invalid. */
export async function retryAll(
  deps: RescanDependencies,
  { projectId, by }: { readonly projectId: string; readonly by: string },
): Promise<RetriedBody> {
  checkId('project', projectId);
  const failed: ContextsBody = {
    contexts: await withDatabaseErrors('Reading the contexts', () =>
      contextRows(deps.db, { projectId, failedOnly: true }),
    ),
  };
  const retried: ContextBody[] = [];
  for (const { id } of failed.contexts) {
    try {
      retried.push(await resetFailed(deps.db, id, by, deps.newId()));
      deps.asking.begin(id);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'context.unknown' && error.code !== 'context.not_failed'))
        throw error;
    }
  }
  return { retried };
}

/** Locks context, then state, as every writer does. */
function resetFailed(db: Db, id: string, by: string, requestId: string): Promise<ContextBody> {
  return shortTransaction(db, 'Asking for the context again', async (tx) => {
    const live = await tx
      .selectFrom('core.context')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    const state = await tx
      .selectFrom('ai.context_ai_state')
      .selectAll()
      .where('context_id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!live || !state) throw unknownContext(id);
    if (state.embedding_status !== 'FAILED' && state.summary_status !== 'FAILED')
      throw new AppError(
        'context.not_failed',
        `Context ${id} has not failed: embedding is ${state.embedding_status}, summary is ${state.summary_status}.`,
      );
    await owedAfterRetry(tx, id, requestId);
    const [context] = await contextRows(tx, { id });
    if (!context) throw unknownContext(id);
    const { retry_count: retryCount, last_failure: lastFailure, last_request_id: lastRequestId } = state;
    await audit(tx, {
      by,
      act: 'context.retry',
      projectId: context.projectId,
      episodeId: null,
      details: { context: id, retryCount, lastFailure, lastRequestId },
    });
    return context;
  });
}
