import { z } from 'zod';
import { timeText } from './amounts';
import { STAGE_STATUSES } from '../domain/context-stages';

const stageStatus = z.enum(STAGE_STATUSES);

/** A context and the state of its AI work (spec 30). */
export const contextBody = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  title: z.string(),
  createdAt: timeText,
  updatedAt: timeText,
  stages: z.strictObject({ embedding: stageStatus, summary: stageStatus }),
  /** Times that the rescan has asked again. */
  retryCount: z.number().int(),
  lastFailure: z.string().nullable(),
  /** null until it is finished. */
  summary: z.string().nullable(),
});

/** `GET /api/v1/contexts/{id}`: with its text. */
export const wholeContextBody = contextBody.extend({ body: z.string(), contentHash: z.string() });

/** `contexts` and `GET /api/v1/contexts`. */
export const contextsBody = z.strictObject({ contexts: z.array(contextBody) });

/** What creates or replaces a context. */
export const contextInput = z.strictObject({ title: z.string(), body: z.string() });

export const embeddingResult = z.strictObject({
  model: z.string().min(1).max(200),
  vector: z.array(z.number()).min(1).max(8_192),
});
export const summaryResult = z.strictObject({ model: z.string().min(1).max(200), text: z.string().min(1).max(20_000) });

/** `POST /api/v1/contexts/{id}/stages/{stage}`: what the AI service says (spec 30). */
export const stageReportInput = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('PROCESSING'), contentHash: z.string(), requestId: z.string().optional() }),
  z.strictObject({
    status: z.literal('COMPLETED'),
    contentHash: z.string(),
    requestId: z.string().optional(),
    result: z.unknown(),
  }),
  z.strictObject({
    status: z.literal('FAILED'),
    contentHash: z.string(),
    requestId: z.string().optional(),
    reason: z.string().min(1),
  }),
]);

/** Its answer. `changed` false is no error: the report came too late, or is about other content. */
export const stageReportBody = z.strictObject({ changed: z.boolean(), status: stageStatus, why: z.string() });

export type ContextBody = z.infer<typeof contextBody>;
export type WholeContextBody = z.infer<typeof wholeContextBody>;
export type ContextsBody = z.infer<typeof contextsBody>;
export type StageReportInput = z.infer<typeof stageReportInput>;
export type StageReportBody = z.infer<typeof stageReportBody>;
