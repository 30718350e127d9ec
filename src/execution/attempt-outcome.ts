import type { ErrorCode } from '../domain/errors';
import type { StepStatus } from '../domain/status';

/** What an attempt answers; src/activities turns it into Temporal's terms. */
export type AttemptOutcome =
  /** The step ended, in this attempt or an earlier one, or there was nothing to do. */
  | {
      readonly outcome: 'ended';
      readonly status: StepStatus;
      readonly code: ErrorCode | null;
      readonly reason: string;
      readonly ran: boolean;
    }
  | { readonly outcome: 'parked'; readonly token: string }
  | { readonly outcome: 'blocked'; readonly code: ErrorCode; readonly reason: string }
  /** Fails retryably: the next attempt decides. */
  | { readonly outcome: 'retry'; readonly code: ErrorCode; readonly reason: string };
