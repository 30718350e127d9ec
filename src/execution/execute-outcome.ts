import type { ErrorCode } from '../domain/errors';
import type { StepStatus } from '../domain/status';

/** What became of a claimed run. */
export type ExecuteOutcome =
  | {
      readonly outcome: 'ended';
      readonly status: Exclude<StepStatus, 'running'>;
      readonly code: ErrorCode | null;
      readonly message: string | null;
    }
  | { readonly outcome: 'parked'; readonly token: string }
  | { readonly outcome: 'ownership_lost' };
