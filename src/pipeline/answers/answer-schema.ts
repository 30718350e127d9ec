import { z } from 'zod';
import type { Json } from '../../domain/json';

/** JSON Schema of an answer as it goes to a model. Part of the request, and so of its hash: no dialect line that an upgrade may change. */
export function answerSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'output' });
  return JSON.parse(JSON.stringify(rest)) as Json;
}
