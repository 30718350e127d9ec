import type { FastifyInstance } from 'fastify';
import type { HttpMetrics } from '../observability/http-metrics';
import type { Logger } from '../observability/logger';

/**
 * One line for each answer: who asked for what, by the route's pattern. Neither headers nor the address itself: ids are the
 * ledger's affair, and what somebody puts into an address may be a secret (cases C47).
 */
export function reportRequests(server: FastifyInstance, log: Logger, metrics: HttpMetrics): void {
  server.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(unknown)';
    const { statusCode, elapsedTime } = reply;
    metrics.answered(route, request.method, statusCode, elapsedTime / 1_000);
    const level = request.method === 'GET' || request.method === 'HEAD' ? 'debug' : 'info';
    log[level](
      {
        request: request.id,
        method: request.method,
        route,
        status: statusCode,
        ms: Math.round(elapsedTime),
        caller: request.caller?.name,
      },
      'answered',
    );
  });
}
