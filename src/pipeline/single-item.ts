import type { CompletionReport } from '../domain/completion';
import type { Json } from '../domain/json';
import { THE_ONE_ITEM, type StepId } from '../domain/steps';
import type { z } from 'zod';
import { failedOf, failedSchema, parseBody } from './checkpoint-body';
import type { ItemOutcome, VerifyContext } from './definition';
import { attempt, missingItem, reportOf, type Finding } from './findings';

/** Ranks of a verifier whose step has the one item `all`. */
const NEEDED = 1;
const ABSENT = 2;
const SHAPE = 3;
const CONTENT = 4;

/** The body of a step with the one item `all`: its result with `failed: []`, or only what failed. */
export function assembleOne(
  items: ReadonlyMap<string, ItemOutcome>,
  body: (result: Json) => Readonly<Record<string, Json>>,
): Json {
  const outcome = items.get(THE_ONE_ITEM);
  const failed = failedOf([THE_ONE_ITEM], items);
  return outcome?.status === 'done' ? { ...body(outcome.result), failed } : { failed };
}

/** The inverse of `assembleOne`: the one item's result; nothing where it failed. Throws step.contract_violation. */
export function resultOfOne<T>(body: unknown, step: StepId, schema: z.ZodType<T>): ReadonlyMap<string, Json> {
  if (isOnlyFailedList(body)) return new Map();
  parseBody(body, step, schema);
  const { failed: _failed, ...result } = body as Readonly<Record<string, Json>>;
  return new Map([[THE_ONE_ITEM, result]]);
}

/**
 * Verifies a step with the one item `all`, in order: the checkpoints it needs load (contract_drift), its item is there (artifact_missing),
 * its own shape (contract_drift), then what `check` finds in it.
 */
export function verifyOne<T>(
  context: VerifyContext,
  step: StepId,
  schema: z.ZodType<T>,
  needed: readonly (() => unknown)[],
  check: (body: T) => readonly Omit<Finding, 'rank'>[] = () => [],
): CompletionReport {
  for (const load of needed) {
    const loaded = attempt(NEEDED, load);
    if ('finding' in loaded) return reportOf([loaded.finding], false);
  }
  const failed = failedSchema.safeParse((context.body as { failed?: unknown } | null | undefined)?.failed);
  if (failed.success && failed.data.length > 0)
    return reportOf(
      failed.data.map((item) => missingItem(ABSENT, item.item_id, `${item.code}: ${item.message}`)),
      false,
    );
  if (isOnlyFailedList(context.body))
    return reportOf([missingItem(ABSENT, THE_ONE_ITEM, `${step} has no result`)], false);
  const parsed = attempt(SHAPE, () => parseBody(context.body, step, schema));
  if ('finding' in parsed) return reportOf([parsed.finding], false);
  return reportOf(
    check(parsed.value).map((finding) => ({ ...finding, rank: CONTENT })),
    true,
  );
}

/** What `assembleOne` writes when the item neither came nor failed: a cancelled or stopped attempt. */
function isOnlyFailedList(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).join() === 'failed';
}
