import { z } from 'zod';

/** A request as it comes in (docs/rescan.md). */
export const requestSchema = z.strictObject({
  requestId: z.string().min(1).max(200),
  contextId: z.string().regex(/^-?\d{1,19}$/),
  projectId: z.string(),
  title: z.string(),
  body: z.string().min(1),
  contentHash: z.string().min(1).max(200),
  stages: z.array(z.enum(['embedding', 'summary'])).min(1),
});

export type WorkRequest = z.output<typeof requestSchema>;
export type Stage = WorkRequest['stages'][number];
