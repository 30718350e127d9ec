import type { ContextBody } from '../../bodies/contexts';
import { insertContext, markDeleted, replaceContext } from '../../contexts/write-context';
import { cancelUnfinished, owedAnew } from '../../contexts/write-state';
import type { Tx } from '../../db/pool';
import { shortTransaction } from '../../db/transaction';
import { AppError } from '../../domain/errors';
import { checkContextId, checkId } from '../../domain/ids';
import { audit } from '../../store/audit';
import type { Asking } from './asking';
import { checkedText } from './checked-input';
import { contextRows } from './context-rows';
import type { ContextInput } from './contract';
import type { ContextDependencies } from './dependencies';

type Writing = ContextDependencies & { readonly asking: Asking };

/** Context and state in one transaction, then the first request (spec 30). Throws id.invalid, input.invalid. */
export async function createContext(
  deps: Writing,
  input: ContextInput & { readonly projectId: string },
): Promise<ContextBody> {
  const projectId = checkId('project', input.projectId);
  const text = checkedText(input);
  const created = await shortTransaction(deps.db, 'Keeping the context', async (tx) => {
    const id = await insertContext(tx, projectId, text);
    await owedAnew(tx, id, deps.newId());
    return keep(tx, 'context.create', id, input.by);
  });
  deps.asking.begin(created.id);
  return created;
}

/** Throws context.unknown, input.invalid. */
export async function replaceContent(
  deps: Writing,
  input: ContextInput & { readonly id: string },
): Promise<ContextBody> {
  const id = checkContextId(input.id);
  const text = checkedText(input);
  const replaced = await shortTransaction(deps.db, 'Replacing the context', async (tx) => {
    if (!(await replaceContext(tx, id, text))) throw unknownContext(id);
    await owedAnew(tx, id, deps.newId());
    return keep(tx, 'context.replace', id, input.by);
  });
  deps.asking.begin(id);
  return replaced;
}

/** Answers the context as it ended. Throws context.unknown. */
export async function removeContext(
  deps: Writing,
  input: { readonly id: string; readonly by: string },
): Promise<ContextBody> {
  const id = checkContextId(input.id);
  return shortTransaction(deps.db, 'Deleting the context', async (tx) => {
    const [before] = await contextRows(tx, { id });
    if (!before || !(await markDeleted(tx, id))) throw unknownContext(id);
    await cancelUnfinished(tx, id);
    const { embedding_status: embedding, summary_status: summary } = await tx
      .selectFrom('ai.context_ai_state')
      .select(['embedding_status', 'summary_status'])
      .where('context_id', '=', id)
      .executeTakeFirstOrThrow();
    await audit(tx, {
      by: input.by,
      act: 'context.delete',
      projectId: before.projectId,
      episodeId: null,
      details: { context: id },
    });
    return { ...before, stages: { embedding, summary } };
  });
}

export function unknownContext(id: string): AppError {
  return new AppError('context.unknown', `There is no context ${id}.`);
}

async function keep(tx: Tx, act: string, id: string, by: string): Promise<ContextBody> {
  const [context] = await contextRows(tx, { id });
  if (!context) throw unknownContext(id);
  await audit(tx, { by, act, projectId: context.projectId, episodeId: null, details: { context: id } });
  return context;
}
