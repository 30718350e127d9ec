import { AppError } from '../domain/errors';

/**
 * A step as cancel, release and explain take it: any that stands in step_run, known to the manifest or not, up to 256
 * characters (spec 50). Throws step.unknown for what can be none.
 */
export function checkedStepText(step: string): string {
  if (step.length > 0 && step.length <= 256) return step;
  throw new AppError('step.unknown', 'A step id has 1 to 256 characters.');
}
