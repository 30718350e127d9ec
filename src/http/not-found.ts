import type { FastifyInstance } from 'fastify';
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
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0) return sendProblem(reply, new AppError('http.not_found', 'There is no such path.'));
    void reply.header('allow', [...new Set(allowed)].join(', '));
    return sendProblem(
      reply,
      new AppError('http.method_not_allowed', `${request.method} is not among the methods of this path.`),
    );
  });
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '[.]').replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
