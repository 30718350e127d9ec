import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from './openapi/components';

const PAGE = '/api/docs';

/** `/api/openapi.json`, and a page to read it that needs nothing from outside (spec 50). Both are open to all: they hold no data. */
export async function registerReference(server: FastifyInstance, document: JsonSchema): Promise<void> {
  const text = JSON.stringify(document);
  server.get('/api/openapi.json', { config: { need: 'nobody' } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text),
  );
  await server.register(async (page) => {
    page.addHook('onRoute', (one) => {
      one.config = { ...one.config, need: 'nobody' };
    });
    await page.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) as never } });
    await page.register(swaggerUi, {
      routePrefix: PAGE,
      staticCSP: true,
      uiConfig: { validatorUrl: null, tryItOutEnabled: false, docExpansion: 'list' } as never,
    });
  });
}
