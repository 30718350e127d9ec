import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Logger } from '../observability/logger';
import { Faults, faultSchema } from './faults';
import type { Reporter } from './reporter';
import { requestSchema } from './request';
import { work } from './work';

export interface AiServiceOptions {
  /** What callers must show; undefined: nobody is asked. */
  readonly secret: string | undefined;
  readonly reporter: Reporter;
  readonly log: Logger;
}

/** Half a million characters, however JSON spells them. */
const BODY_BYTES = 8 * 1024 * 1024;

/**
 * The AI service that ships (spec 30): `POST /requests` answers 202 and reports each stage later; `/faults` tells it to misbehave.
 * Not listening yet. Work under way when it closes is lost, as that of any service may be.
 */
export function createAiService({ secret, reporter, log }: AiServiceOptions): FastifyInstance {
  const faults = new Faults();
  const server = Fastify({ bodyLimit: BODY_BYTES, forceCloseConnections: true });

  server.addHook('onRequest', async (request, reply) => {
    if (request.url === '/healthz' || isAllowed(request.headers.authorization, secret)) return;
    await reply.code(401).send({ error: 'The secret is missing or wrong.' });
  });
  server.get('/healthz', async () => ({ ok: true }));

  server.post('/requests', async (incoming, reply) => {
    const parsed = requestSchema.safeParse(incoming.body);
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) });
    const { requestId, contextId, stages } = parsed.data;
    const fault = faults.take(contextId);
    log.info({ requestId, contextId, stages, fault: fault?.fault }, 'asked');
    if (fault?.fault === 'hang') return neverAnswer(reply);
    if (fault?.fault === 'refuse') return reply.code(fault.status).send({ error: 'Told to refuse.' });
    if (fault?.fault === 'delay') await delay(fault.delayMs);
    setImmediate(() => void work(parsed.data, fault, { reporter, log }));
    return reply.code(202).send({ requestId });
  });

  server.get('/faults', async () => ({ faults: faults.list() }));
  server.post('/faults', async (incoming, reply) => {
    const parsed = faultSchema.safeParse(incoming.body);
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) });
    faults.order(parsed.data);
    return reply.code(201).send({ faults: faults.list() });
  });
  server.delete('/faults', async () => {
    faults.clear();
    return { faults: [] };
  });
  return server;
}

/** The connection stays open without a byte until the caller gives up, or the service closes. */
function neverAnswer(reply: FastifyReply): FastifyReply {
  reply.hijack();
  return reply;
}

/** Compared by digest, so that the time tells nothing of the secret. */
function isAllowed(authorization: string | undefined, secret: string | undefined): boolean {
  if (secret === undefined) return true;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return authorization !== undefined && timingSafeEqual(digest(authorization), digest(`Bearer ${secret}`));
}
