import { AppError } from '../domain/errors';
import type { StepId } from '../domain/steps';
import type { FailedItem } from './checkpoint-body';

/**
 * A fan-in refuses unless every item that it reads is accounted for: there, or named among the failed ones (spec 20 "Items").
 * Else a hole in a checkpoint would pass on as a picture without its reference. Throws step.contract_violation, naming the first.
 */
export function requireAccountedFor(
  step: StepId,
  expected: Iterable<string>,
  present: Iterable<string>,
  failed: readonly FailedItem[],
): void {
  const known = new Set([...present, ...failed.map((item) => item.item_id)]);
  const absent = [...expected].filter((item) => !known.has(item));
  if (absent.length === 0) return;
  const more = absent.length > 1 ? ` and ${absent.length - 1} more` : '';
  throw new AppError(
    'step.contract_violation',
    `The checkpoint of ${step} accounts neither for a result nor for a failure of ${absent[0]!}${more}.`,
  );
}
