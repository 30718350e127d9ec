import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from '../observability/logger';
import { AppError } from '../domain/errors';
import { guard } from './access/guard';
import type { Tokens } from './access/tokens';
import { MAX_JSON_BYTES, acceptJson, acceptText } from './bodies';
import { answerClientError } from './client-error';
import type { Door } from './door';
import { answerUnknown } from './not-found';
import { openApiDocument } from './openapi/document';
import { asAppError, sendProblem } from './problem';
import { REFERENCE_PATHS, registerReference } from './reference/register';
import { registerRoute } from './register-route';
import { reportRequests } from './report-requests';
import { allRoutes } from './routes/all-routes';
import type { EventTimes } from './routes/events';
import type { Route } from './routes/route';

export interface ServerOptions {
  readonly door: Door;
  readonly tokens: Tokens;
  readonly log: Logger;
  readonly version: string;
  readonly eventTimes?: EventTimes;
}

/** The HTTP API (spec 50), ready to listen. Nothing but headers and the count of requests comes before `guard` has looked. */
export async function createServer({
  door,
  tokens,
  log,
  version,
  eventTimes,
}: ServerOptions): Promise<FastifyInstance> {
  const server = bareServer(log);
  const routes = allRoutes(door, eventTimes);
  reportRequests(server, log, door.metrics);
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
  });
  await limitRequests(server, door, tokens);
  guard(server, tokens);
  answerErrors(server, log, door);
  answerUnknown(server, [...routes, ...REFERENCE_PATHS]);
  acceptJson(server);
  for (const one of routes) if (one.textBodyUpTo === undefined) registerRoute(server, one);
  await server.register(async (texts) => registerTexts(texts, routes));
  registerReference(server, openApiDocument(routes, { version, withTokens: tokens.areConfigured }));
  await server.ready();
  return server;
}

function bareServer(log: Logger): FastifyInstance {
  const server = fastify({
    loggerInstance: log,
    // Fastify's own lines hold whole addresses, and somebody may put a token there; see report-requests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MAX_JSON_BYTES,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 15_000 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    frameworkErrors: (error, request, reply) => void sendProblem(reply, asAppError(error, request.id)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4_096 },
    return503OnClosing: false,
  });
  return server as unknown as FastifyInstance;
}

/**
 * Counted by token, or by address where there is none that is known; refused and unknown requests, too: whoever guesses tokens
 * is slowed, and slows no one who has one.
 */
async function limitRequests(server: FastifyInstance, door: Door, tokens: Tokens): Promise<void> {
  await server.register(rateLimit, {
    global: false,
    max: door.settings.requestsPerMinute,
    timeWindow: '1 minute',
    cache: 10_000,
    keyGenerator: (request) => {
      const caller = tokens.identify(request.headers.authorization);
      return caller ? `token ${caller.name}` : `address ${request.ip}`;
    },
    errorResponseBuilder: (_request, { after }) =>
      new AppError(
        'http.too_many_requests',
        `More than ${door.settings.requestsPerMinute} requests in a minute; again in ${after}.`,
      ),
  });
  const count = server.rateLimit();
  server.addHook('onRequest', async function (this: FastifyInstance, request, reply) {
    if (request.routeOptions.config.unlimited) return;
    await (count as (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => Promise<void>).call(
      this,
      request,
      reply,
    );
  });
}

function answerErrors(server: FastifyInstance, log: Logger, door: Door): void {
  server.setErrorHandler((thrown: Error, request, reply) => {
    const error = asAppError(thrown, request.id);
    if (error.statusCode === 500)
      log.error(
        { request: request.id, route: request.routeOptions.url, err: error.cause ?? error },
        'a request failed unexpectedly',
      );
    door.metrics.problem(error.code);
    return sendProblem(reply, error);
  });
}

/** Apart from the others, so that only these take text. */
function registerTexts(server: FastifyInstance, routes: readonly Route[]): void {
  for (const one of routes) {
    if (one.textBodyUpTo === undefined) continue;
    acceptText(server, one.textBodyUpTo);
    registerRoute(server, one);
  }
}
