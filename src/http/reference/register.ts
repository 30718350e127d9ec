import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../openapi/components';
import { PAGE_POLICY, referencePage } from './page';

/** What these two answer without a door: the paths are told to the answers of 404 and 405, too. */
export const REFERENCE_PATHS = [
  { method: 'GET', path: '/api/openapi.json' },
  { method: 'GET', path: '/api/docs' },
] as const;

/** `/api/openapi.json`, and a page to read it (spec 50). Both are open to all: they hold no data. Each is made once. */
export function registerReference(server: FastifyInstance, document: JsonSchema): void {
  const text = JSON.stringify(document);
  const page = referencePage(document);
  server.get(REFERENCE_PATHS[0].path, { config: { need: 'nobody' } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text),
  );
  server.get(REFERENCE_PATHS[1].path, { config: { need: 'nobody' } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY })
      .send(page),
  );
}
