import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '../../domain/errors';
import type { Caller, Need } from '../access/caller';

/** What one route is given: everything checked by its schemas. */
export interface Asked<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: Caller;
  /** The caller's name in the audit table. */
  readonly by: string;
  /** Of the header Idempotency-Key; undefined where it is absent. */
  readonly requestId: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A JSON answer. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface AnswerDoc {
  readonly description: string;
  /** Absent: `type` is no JSON. */
  readonly schema?: z.ZodType;
  /** application/json where absent. */
  readonly types?: readonly string[];
}

interface Described {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly need: Need;
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  /** Codes it may answer besides those that every route may. */
  readonly errors: readonly ErrorCode[];
  /** Takes the header Idempotency-Key. */
  readonly idempotencyKey?: true;
  /** Takes the header Last-Event-ID, and its answer never ends by itself. */
  readonly stream?: true;
  /** The body is bytes of text, not JSON; at most so many. */
  readonly textBodyUpTo?: number;
  /** Not counted against the rate limit. */
  readonly unlimited?: true;
}

export interface RouteInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> extends Described {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Undefined: it has answered by itself. */
  handle(asked: Asked<z.output<P>, z.output<Q>, z.output<B>>): Promise<Answer | undefined>;
}

/** A route with the types of its schemas forgotten. */
export interface Route extends Described {
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  handle(asked: Asked<unknown, unknown, unknown>): Promise<Answer | undefined>;
}

/** One line of the table of spec 50: schemas, documentation and handler in one place. */
export function route<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  input: RouteInput<P, Q, B>,
): Route {
  const { params, query, body, handle, ...described } = input;
  // The server parses with these very schemas before it calls.
  return {
    ...described,
    params,
    query,
    body,
    handle: (asked) => handle(asked as Asked<z.output<P>, z.output<Q>, z.output<B>>),
  };
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
