import { z } from 'zod';
import { rescanActBody, rescanBody, retriedBody } from '../../bodies/rescan';
import type { Door } from '../door';
import { newProjectPath } from './parameters';
import { ok, route, type Route } from './route';

const nothing = z.strictObject({}).optional();
const retried = {
  200: { description: 'What is asked for again, at once, with the whole allowance.', schema: retriedBody },
};

/** The loop that finds lost AI work (spec 30 "What the operator sees"). */
export function rescanRoutes({ operations: { rescan } }: Door): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/rescan',
      operationId: 'getRescan',
      tag: 'Contexts',
      summary: 'The loop, its last round, and rows by stage and status.',
      need: 'viewer',
      answers: { 200: { description: 'The rescan.', schema: rescanBody } },
      errors: [],
      handle: async () => ok(await rescan.status()),
    }),
    route({
      method: 'POST',
      path: '/api/v1/rescan/{act}',
      operationId: 'actOnRescan',
      tag: 'Contexts',
      summary: 'Runs a round now, pauses or resumes the loop.',
      need: 'operator',
      params: z.strictObject({ act: z.enum(['run', 'pause', 'resume']) }),
      body: nothing,
      answers: { 202: { description: 'The loop was told.', schema: rescanActBody } },
      errors: ['temporal.unavailable'],
      handle: async ({ params, by }) => ({ status: 202, body: await rescan.act(params.act, by) }),
    }),
    route({
      method: 'POST',
      path: '/api/v1/contexts/{id}/retry',
      operationId: 'retryContext',
      tag: 'Contexts',
      summary: 'Asks for a FAILED context again.',
      need: 'operator',
      params: z.strictObject({ id: z.string().regex(/^-?\d{1,19}$/, 'a whole number') }),
      body: nothing,
      answers: retried,
      errors: ['context.unknown', 'context.not_failed'],
      handle: async ({ params, by }) => ok(await rescan.retry({ id: params.id, by })),
    }),
    route({
      method: 'POST',
      path: '/api/v1/projects/{project}/contexts/retry',
      operationId: 'retryContexts',
      tag: 'Contexts',
      summary: 'Asks for all FAILED contexts of a project again.',
      need: 'operator',
      params: newProjectPath,
      body: nothing,
      answers: retried,
      errors: [],
      handle: async ({ params, by }) => ok(await rescan.retryAll({ projectId: params.project, by })),
    }),
  ];
}
