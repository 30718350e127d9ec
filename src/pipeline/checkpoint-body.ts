import { z } from 'zod';
import { AppError } from '../domain/errors';
import type { StepId } from '../domain/steps';
import type { ItemOutcome, StepInputs } from './definition';

/** An item that came to nothing, as a checkpoint names it. */
export const failedItemSchema = z.object({ item_id: z.string(), code: z.string(), message: z.string() });
export type FailedItem = z.infer<typeof failedItemSchema>;
export const failedSchema = z.array(failedItemSchema).default([]);

/**
 * The checkpoint of a step in its shape. Throws step.contract_violation, naming step and path. `absent` gives the empty body of a step that
 * does not apply, and so never wrote a real one; null: then there must be one.
 */
export function loadBody<T>(
  inputs: StepInputs,
  step: StepId,
  schema: z.ZodType<T>,
  absent: () => T | null = () => null,
): T {
  const raw = inputs.rawCheckpoint(step);
  if (raw === undefined || isSetAside(raw)) {
    const empty = absent();
    if (empty !== null) return empty;
    throw new AppError(
      'step.contract_violation',
      `The checkpoint of ${step} is not there${raw === undefined ? '' : ': it says that the step does not apply'}.`,
    );
  }
  return parseBody(raw, step, schema);
}

/** Whether a body is the note of a step that was set aside because it did not apply (spec 20, order 3). */
export function isSetAside(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && (raw as { not_applicable?: unknown }).not_applicable === true;
}

/** A raw body in its shape. Throws step.contract_violation, naming step and path. */
export function parseBody<T>(raw: unknown, step: StepId, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const failed = z.object({ failed: failedSchema.unwrap().min(1) }).safeParse(raw);
  const why = failed.success ? ` (it failed: ${failed.data.failed[0]!.code})` : '';
  const issue = parsed.error.issues[0];
  throw new AppError(
    'step.contract_violation',
    `The checkpoint of ${step} has a wrong shape at "${issue?.path.join('.') || '.'}": ${issue?.message ?? 'invalid'}${why}.`,
  );
}

/** The items that failed, in the order given. */
export function failedOf(itemIds: Iterable<string>, outcomes: ReadonlyMap<string, ItemOutcome>): FailedItem[] {
  return [...itemIds].flatMap((itemId) => {
    const outcome = outcomes.get(itemId);
    return outcome?.status === 'failed' ? [{ item_id: itemId, code: outcome.code, message: outcome.message }] : [];
  });
}

/** Loads what a step needs to know whether it applies; undefined where that cannot be told, so that damage is never "does not apply". */
export function ifReadable<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.contract_violation') return undefined;
    throw error;
  }
}
