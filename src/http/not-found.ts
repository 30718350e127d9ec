import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../domain/errors';
import { sendProblem } from './problem';
import type { Route } from './routes/route';

/** A path that is there with another method is 405 and names the methods; any other is 404. */
export function answerUnknown(
  server: FastifyInstance,
  routes: readonly Pick<Route, 'method' | 'path' | 'stream'>[],
): void {
  const byPath = new Map<string, string[]>();
  for (const { path, method, stream } of routes) {
    const methods = byPath.get(path) ?? [];
    byPath.set(path, [...methods, method, ...(method === 'GET' && !stream ? ['HEAD'] : [])]);
  }
  const patterns = [...byPath].map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  const problemFor = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0) return new AppError('http.not_found', 'There is no such path.');
    void reply.header('allow', [...new Set(allowed)].join(', '));
    return new AppError('http.method_not_allowed', `${request.method} is not among the methods of this path.`);
  };
  // Before the body is read: what there is no handler for is refused for that, and not for its body.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) throw problemFor(request, reply);
  });
  server.setNotFoundHandler((request, reply) => sendProblem(reply, problemFor(request, reply)));
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '[.]').replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
