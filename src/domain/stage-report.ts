import type { StageStatus } from './context-stages';

/** What the AI service says of a stage (spec 30). */
export type ReportedStatus = 'PROCESSING' | 'COMPLETED' | 'FAILED';

/** What a report does to a stage: its new status (null: none), and whether the reason is kept in `last_failure`. */
export interface ReportEffect {
  readonly becomes: StageStatus | null;
  readonly keepsFailure: boolean;
  /** For the answer and the log. */
  readonly why: string;
}

const nothing = (why: string): ReportEffect => ({ becomes: null, keepsFailure: false, why });

/**
 * The legal effects of reports, spec 30: only reports write PROCESSING and COMPLETED; a reported failure takes the stage back to
 * PENDING, since only Finalize writes FAILED; a late COMPLETED counts even after FAILED; nothing moves a CANCELLED or COMPLETED
 * stage. Pure. That the report is about the present content is checked before.
 */
export function effectOfReport(status: StageStatus, reported: ReportedStatus): ReportEffect {
  if (status === 'CANCELLED') return nothing('the stage is cancelled');
  if (status === 'COMPLETED') return nothing('the stage is completed already');
  switch (reported) {
    case 'COMPLETED':
      return { becomes: 'COMPLETED', keepsFailure: false, why: status === 'FAILED' ? 'late, and counted' : 'counted' };
    case 'PROCESSING':
      if (status === 'FAILED') return nothing('the stage has failed: only its completion counts now');
      return status === 'PROCESSING'
        ? nothing('the stage is processing already')
        : { becomes: 'PROCESSING', keepsFailure: false, why: 'counted' };
    case 'FAILED':
      if (status === 'FAILED')
        return { becomes: null, keepsFailure: true, why: 'the stage has failed already; the reason is kept' };
      return {
        becomes: status === 'PROCESSING' ? 'PENDING' : null,
        keepsFailure: true,
        why: 'the reason is kept, and the stage is asked for again',
      };
  }
}
