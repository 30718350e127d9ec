import { auditBody } from '../../bodies/audit';
import { locksBody } from '../../bodies/locks';
import { auditOf } from '../../operations/queries/audit';
import type { Door } from '../door';
import { EPISODE, episodePath } from './parameters';
import { ok, route, type Route } from './route';

const shown = {
  200: {
    description: 'Every running row with owner, ages, verdict and proof, as this process sees it.',
    schema: locksBody,
  },
};

/** Who holds what, and whether they live (spec 10 "Locks"). Reading changes nothing. */
export function lockRoutes({ operations }: Door): Route[] {
  return [
    route({
      method: 'GET',
      path: `${EPISODE}/steps/locks`,
      operationId: 'getLocks',
      tag: 'Locks',
      summary: 'The locks of an episode.',
      need: 'viewer',
      params: episodePath,
      answers: shown,
      errors: [],
      handle: async ({ params }) =>
        ok(await operations.locks({ projectId: params.project, episodeId: params.episode })),
    }),
    route({
      method: 'GET',
      path: '/api/v1/locks',
      operationId: 'getAllLocks',
      tag: 'Locks',
      summary: 'The locks of all projects, with the ids of their rows.',
      need: 'viewer',
      answers: shown,
      errors: [],
      handle: async () => ok(await operations.locks({})),
    }),
    route({
      method: 'GET',
      path: '/api/v1/audit',
      operationId: 'getAudit',
      tag: 'Locks',
      summary:
        'Running rows by what is to be done about them: healthy, leave; stale, release; the others, find out first.',
      need: 'viewer',
      answers: { 200: { description: 'Each running row in one of four lists.', schema: auditBody } },
      errors: [],
      handle: async () => ok(auditOf(await operations.locks({}))),
    }),
  ];
}
