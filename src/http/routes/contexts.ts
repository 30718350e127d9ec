import { z } from 'zod';
import {
  contextBody,
  contextInput,
  contextsBody,
  stageReportBody,
  stageReportInput,
  wholeContextBody,
} from '../../bodies/contexts';
import { newId } from '../../bodies/text';
import { CONTEXT_STAGES } from '../../domain/context-stages';
import { CONTEXTS_LISTED } from '../../operations/contexts/contract';
import type { Door } from '../door';
import { newProjectPath, wholeNumberText } from './parameters';
import { ok, route, type Route } from './route';

const CONTEXTS = '/api/v1/contexts';
const contextPath = z.strictObject({ id: z.string().regex(/^-?\d{1,19}$/, 'a whole number') });
const listQuery = z.strictObject({
  project: newId.optional(),
  failedOnly: z.enum(['true', 'false']).optional(),
  limit: wholeNumberText(10_000).optional(),
});
const one = (description: string) => ({ description, schema: contextBody });

/** Contexts and the reports of the AI service (spec 30). */
export function contextRoutes({ operations: { contexts } }: Door): Route[] {
  return [
    route({
      method: 'GET',
      path: CONTEXTS,
      operationId: 'listContexts',
      tag: 'Contexts',
      summary: 'Contexts with the state of their AI work, of one project or of all.',
      need: 'viewer',
      query: listQuery,
      answers: {
        200: {
          description: `In order of their ids, without their texts; the first ${CONTEXTS_LISTED} unless \`limit\` says otherwise.`,
          schema: contextsBody,
        },
      },
      errors: [],
      handle: async ({ query }) =>
        ok(
          await contexts.list({
            projectId: query.project,
            failedOnly: query.failedOnly === 'true',
            limit: query.limit,
          }),
        ),
    }),
    route({
      method: 'POST',
      path: '/api/v1/projects/{project}/contexts',
      operationId: 'createContext',
      tag: 'Contexts',
      summary: 'Creates a context; the AI service is asked after the answer.',
      need: 'operator',
      params: newProjectPath,
      body: contextInput,
      answers: { 201: one('Created.') },
      errors: [],
      handle: async ({ params, body, by }) => ({
        status: 201,
        body: await contexts.create({ projectId: params.project, ...body, by }),
      }),
    }),
    route({
      method: 'GET',
      path: `${CONTEXTS}/{id}`,
      operationId: 'getContext',
      tag: 'Contexts',
      summary: 'One context with its text.',
      need: 'viewer',
      params: contextPath,
      answers: { 200: { description: 'The context.', schema: wholeContextBody } },
      errors: ['context.unknown'],
      handle: async ({ params }) => ok(await contexts.read(params.id)),
    }),
    route({
      method: 'PUT',
      path: `${CONTEXTS}/{id}`,
      operationId: 'replaceContext',
      tag: 'Contexts',
      summary: 'Other content in place of the old, which is asked about anew.',
      need: 'operator',
      params: contextPath,
      body: contextInput,
      answers: { 200: one('Replaced.') },
      errors: ['context.unknown'],
      handle: async ({ params, body, by }) => ok(await contexts.replace({ id: params.id, ...body, by })),
    }),
    route({
      method: 'DELETE',
      path: `${CONTEXTS}/{id}`,
      operationId: 'deleteContext',
      tag: 'Contexts',
      summary: 'Deletes a context; its unfinished AI work is cancelled.',
      need: 'operator',
      params: contextPath,
      answers: { 200: one('As it was deleted.') },
      errors: ['context.unknown'],
      handle: async ({ params, by }) => ok(await contexts.remove({ id: params.id, by })),
    }),
    route({
      method: 'POST',
      path: `${CONTEXTS}/{id}/stages/{stage}`,
      operationId: 'reportStage',
      tag: 'Contexts',
      summary:
        'What the AI service says of a stage. A report that is too late, or about other content, changes nothing.',
      need: 'service',
      params: contextPath.extend({ stage: z.enum(CONTEXT_STAGES) }),
      body: stageReportInput,
      answers: { 200: { description: 'Whether it has changed anything.', schema: stageReportBody } },
      errors: ['context.unknown'],
      handle: async ({ params, body }) =>
        ok(await contexts.report({ id: params.id, stage: params.stage, report: body })),
    }),
  ];
}
