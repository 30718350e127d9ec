import { z } from 'zod';
import { newId } from '../../bodies/text';
import { problemBody } from '../../bodies/problem';
import { ERRORS, type ErrorCode } from '../../domain/errors';
import { PROBLEM_TYPE } from '../problem';
import type { AnswerDoc, Route } from '../routes/route';
import { schemaOf, type JsonSchema } from './components';

export type AnyRoute = Omit<Route, 'handle'>;

/** What any request may be answered with, whatever it asks for. */
const ALWAYS: readonly ErrorCode[] = [
  'http.malformed',
  'http.headers_too_large',
  'http.timeout',
  'internal.unexpected',
  'db.unavailable',
];

/** One operation of the document. */
export function operationOf(one: AnyRoute, withTokens: boolean): JsonSchema {
  return {
    operationId: one.operationId,
    tags: [one.tag],
    summary: one.summary,
    ...(withTokens ? { security: one.need === 'nobody' ? [] : [{ token: [] }], 'x-role': one.need } : {}),
    parameters: [...parametersOf(one.params, 'path'), ...parametersOf(one.query, 'query'), ...headersOf(one)],
    ...requestBodyOf(one),
    responses: { ...answersOf(one), ...problemsOf(one, withTokens) },
  };
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): JsonSchema[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(field as z.ZodType, 'output'),
  }));
}

function headersOf(one: AnyRoute): JsonSchema[] {
  const headers: JsonSchema[] = [];
  if (one.idempotencyKey)
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Names this request: the same key, the same answer, and one run.',
      schema: schemaOf(newId, 'output'),
    });
  if (one.stream)
    headers.push({
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description:
        'The id of the last event that was read: the stream goes on after it. Another text than such an id begins anew.',
      schema: { type: 'string', maxLength: 64 },
    });
  return headers;
}

function requestBodyOf({ body, textBodyUpTo }: AnyRoute): JsonSchema {
  if (textBodyUpTo !== undefined) {
    const schema = { type: 'string', minLength: 1, maxLength: textBodyUpTo };
    return {
      requestBody: {
        required: true,
        content: { 'text/plain': { schema }, 'application/octet-stream': { schema: { ...schema, format: 'binary' } } },
      },
    };
  }
  if (!body) return {};
  const isOptional = body.safeParse(undefined).success;
  const inner = body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body;
  return {
    requestBody: { required: !isOptional, content: { 'application/json': { schema: schemaOf(inner, 'input') } } },
  };
}

function answersOf({ answers }: AnyRoute): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]));
}

function answerOf({ description, schema, types }: AnswerDoc): JsonSchema {
  if (schema) return { description, content: { 'application/json': { schema: schemaOf(schema, 'output') } } };
  if (!types) return { description };
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])) };
}

/** Every code that it may answer, by status. A status that is an answer of its own, too, keeps both. */
function problemsOf(one: AnyRoute, withTokens: boolean): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...codesOf(one, withTokens), ...one.errors])) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const problem = { schema: schemaOf(problemBody, 'output') };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const own = one.answers[status];
      const answer = own ? answerOf(own) : undefined;
      return [
        String(status),
        {
          description: [...(own ? [own.description] : []), codes.map((code) => `\`${code}\``).join(', ')].join(' Or '),
          ...(status === 429
            ? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' } } } }
            : {}),
          content: { ...(answer?.['content'] as object | undefined), [PROBLEM_TYPE]: problem },
        },
      ];
    }),
  );
}

function codesOf(one: AnyRoute, withTokens: boolean): ErrorCode[] {
  const codes: ErrorCode[] = [...ALWAYS, 'input.invalid', 'http.body_too_large', 'http.unsupported_media_type'];
  if (one.params) codes.push('id.invalid');
  if (!one.unlimited) codes.push('http.too_many_requests');
  if (withTokens && one.need !== 'nobody') codes.push('auth.required', 'auth.forbidden');
  if (!withTokens) codes.push('http.wrong_host', 'auth.forbidden');
  return codes;
}
