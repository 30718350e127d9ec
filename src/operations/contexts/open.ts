import type { ContextsBody } from '../../bodies/contexts';
import { withDatabaseErrors } from '../../db/errors';
import { checkContextId, checkId } from '../../domain/ids';
import type { Asking } from './asking';
import { contextRows, wholeContextRow } from './context-rows';
import { CONTEXTS_LISTED, type ContextOperations } from './contract';
import type { ContextDependencies } from './dependencies';
import { takeReport } from './report';
import { createContext, removeContext, replaceContent, unknownContext } from './write';

/** The operations on contexts, for every door (spec 30). */
export function openContexts(parts: ContextDependencies, asking: Asking): ContextOperations {
  const { db } = parts;
  const deps = { ...parts, asking };
  return {
    create: (input) => createContext(deps, input),
    replace: (input) => replaceContent(deps, input),
    remove: (input) => removeContext(deps, input),
    list: async ({ projectId, failedOnly, limit = CONTEXTS_LISTED }): Promise<ContextsBody> => {
      if (projectId !== undefined) checkId('project', projectId);
      return {
        contexts: await withDatabaseErrors('Reading the contexts', () =>
          contextRows(db, { projectId, failedOnly, limit }),
        ),
      };
    },
    read: async (id) => {
      const whole = await withDatabaseErrors('Reading the context', () => wholeContextRow(db, checkContextId(id)));
      if (!whole) throw unknownContext(id);
      return whole;
    },
    report: (input) => takeReport(deps, input),
  };
}
