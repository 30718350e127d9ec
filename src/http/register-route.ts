import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { newId } from '../bodies/text';
import { AppError, type ErrorCode } from '../domain/errors';
import { OWNER, auditName } from './access/caller';
import { PROBLEM_TYPE } from './problem';
import type { Route } from './routes/route';

/** Puts a route into the server: parses with its schemas, calls it, sends its answer. */
export function registerRoute(server: FastifyInstance, one: Route): void {
  server.route({
    method: one.method,
    url: one.path.replace(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: one.method === 'GET' && !one.stream,
    ...(one.textBodyUpTo === undefined ? {} : { bodyLimit: one.textBodyUpTo + 1 }),
    config: { need: one.need, unlimited: one.unlimited ?? false },
    handler: (request, reply) => perform(one, request, reply),
  });
}

async function perform(one: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = request.caller ?? OWNER;
  const answer = await one.handle({
    params: parsed(one.params, request.params, 'id.invalid', 'path'),
    query: parsed(one.query ?? undefined, request.query, 'input.invalid', 'query'),
    body:
      one.textBodyUpTo === undefined ? parsed(one.body, request.body, 'input.invalid', 'body') : textOf(request.body),
    caller,
    by: auditName(caller),
    requestId: one.idempotencyKey ? requestIdOf(request) : undefined,
    request,
    reply,
  });
  if (!answer) return reply;
  const type = answer.status >= 400 && isProblem(answer.body) ? PROBLEM_TYPE : 'application/json; charset=utf-8';
  return reply.code(answer.status).type(type).header('cache-control', 'no-store').send(JSON.stringify(answer.body));
}

/** Unknown fields are errors, also where a route takes none at all (spec 50). */
function parsed(schema: z.ZodType | undefined, value: unknown, code: ErrorCode, place: string): unknown {
  if (!schema) {
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
      throw new AppError(
        'input.invalid',
        `This path takes no ${place}; it was given: ${Object.keys(value).slice(0, 5).join(', ').slice(0, 200)}.`,
      );
    if (typeof value === 'object' || value === undefined) return undefined;
    throw new AppError('input.invalid', `This path takes no ${place}.`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.map(String).join('.').slice(0, 200);
  throw new AppError(code, `${where ? `${place} ${where}` : `The ${place}`}: ${issue?.message ?? 'invalid'}.`);
}

function textOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** Throws id.invalid. */
function requestIdOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  return parsed(newId, header, 'id.invalid', 'header Idempotency-Key') as string;
}

function isProblem(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && 'next' in body;
}
