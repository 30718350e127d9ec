import { ApplicationFailure } from '@temporalio/activity';
import { AppError, ERRORS, type ErrorCode } from '../domain/errors';
import { shorten } from '../runs/shorten';

/** Outcome in, Temporal failure out: what is retried comes from the error registry alone (spec 20 "Errors"). */
export function toFailure(
  code: ErrorCode,
  message: string,
  retryable: boolean = ERRORS[code].retryable,
  nextRetryMs?: number,
): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message: shorten(`${code}: ${message}`),
    nonRetryable: !retryable,
    ...(nextRetryMs === undefined ? {} : { nextRetryDelay: nextRetryMs }),
  });
}

/** Whatever an activity throws. An unknown exception is a bug, and not retried; its stack is in the log, not in the history. */
export function failureOf(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof AppError) return toFailure(error.code, error.message);
  return toFailure('internal.unexpected', error instanceof Error ? error.message : String(error));
}
