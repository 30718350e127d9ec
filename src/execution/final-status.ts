import type { CompletionReport } from '../domain/completion';
import type { ErrorCode } from '../domain/errors';
import type { StepStatus } from '../domain/status';
import type { StepId } from '../domain/steps';
import type { CallsResult } from './calls';

export interface FinalStatus {
  readonly status: Exclude<StepStatus, 'running'>;
  readonly code: ErrorCode | null;
  /** For error_message; null where there is nothing to say. */
  readonly message: string | null;
}

/** (2) of the spec's seven: from the counts alone. */
export function statusFromCounts({
  completed,
  failed,
  applicable,
}: Pick<CallsResult, 'completed' | 'failed' | 'applicable'>): 'completed' | 'failed' | 'partial' {
  if (failed === 0 && completed === applicable) return 'completed';
  return completed === 0 ? 'failed' : 'partial';
}

/**
 * (4) of the spec's seven (spec 20 "Running and finalizing"): what the counts, the exit verify, a halt and a cancel make of a
 * run. `report` null: there was nothing to save, so nothing to verify. `marksLeft`: items still to be looked at again;
 * `waitsFor`: the unfinished step upstream that keeps them.
 */
export function finalStatus(
  calls: CallsResult,
  report: CompletionReport | null,
  marksLeft: number,
  workLeft: boolean,
  waitsFor: StepId | null = null,
): FinalStatus {
  const { stop, halted } = calls;
  const open = calls.applicable - calls.completed - calls.failed;
  const done = `${calls.completed} of ${calls.applicable} items are done`;
  if (stop?.why === 'handed_back') return { status: 'pending', code: 'step.handed_back', message: null };
  if (stop?.why === 'cancelled' && (open > 0 || workLeft))
    return { status: 'cancelled', code: null, message: `Cancelled at a safe point; ${done} and kept.` };
  if (report?.origin === 'verify_crashed')
    return {
      status: 'failed',
      code: 'step.verify_crashed',
      message: `step.verify_crashed: ${report.missing.join('; ')} (origin=verify_crashed)`,
    };
  if (halted) return { status: 'partial', code: halted.code, message: `${halted.code}: ${halted.message} ${done}.` };
  const byCounts = statusFromCounts(calls);
  if (byCounts !== 'completed') {
    const why = firstFailures(calls);
    return { status: byCounts, code: why.code, message: `${done}, ${calls.failed} failed. ${why.text}` };
  }
  if (report && !report.isComplete)
    return {
      status: 'partial',
      code: null,
      message: `Verify: ${report.missing.slice(0, 5).join('; ')} (origin=${report.origin})`,
    };
  if (marksLeft > 0) {
    const why = waitsFor ? `: ${waitsFor}, upstream, is not finished` : '';
    return { status: 'partial', code: null, message: `${marksLeft} items are still marked stale${why}.` };
  }
  return { status: 'completed', code: null, message: null };
}

function firstFailures(calls: CallsResult): { code: ErrorCode | null; text: string } {
  const failures = [...calls.outcomes].flatMap(([item, outcome]) =>
    outcome.status === 'failed' ? [{ item, ...outcome }] : [],
  );
  const text = failures
    .slice(0, 3)
    .map((failure) => `${failure.item}: ${failure.code}: ${failure.message}`)
    .join(' · ');
  return {
    code: (failures[0]?.code as ErrorCode | undefined) ?? null,
    text: failures.length > 3 ? `${text} · and ${failures.length - 3} more` : text,
  };
}
