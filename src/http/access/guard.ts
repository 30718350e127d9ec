import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors';
import { OWNER, mayUse, type Caller, type Need } from './caller';
import { isCrossOrigin, isLocalHostHeader } from './loopback';
import type { Tokens } from './tokens';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler runs; null only on routes that ask for nobody. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Who may use the route; absent (unknown paths, too): anybody with a token. */
    need?: Need;
    /** Not counted against the rate limit. */
    unlimited?: boolean;
  }
}

/**
 * Looks at every request before anything else does, unknown paths included (cases C47): who calls, from where, and whether they
 * may. Throws auth.required, auth.forbidden, http.wrong_host.
 */
export function guard(server: FastifyInstance, tokens: Tokens): void {
  server.decorateRequest('caller', null);
  server.addHook('onRequest', async (request) => {
    if (!tokens.areConfigured) requireThisMachine(request);
    request.caller = tokens.areConfigured ? tokens.identify(request.headers.authorization) : OWNER;
    const need = request.routeOptions.config.need;
    if (need === 'nobody') return;
    if (!request.caller) throw new AppError('auth.required', 'No known bearer token was sent.');
    if (need !== undefined && !mayUse(request.caller, need))
      throw new AppError(
        'auth.forbidden',
        `This needs the role ${need}; the token ${request.caller.name} has the role ${request.caller.role}.`,
      );
  });
}

function requireThisMachine({ headers }: FastifyRequest): void {
  if (!isLocalHostHeader(headers.host))
    throw new AppError('http.wrong_host', 'The Host header does not name this machine.');
  if (isCrossOrigin(headers)) throw new AppError('auth.forbidden', 'The request comes from a page of another site.');
}
