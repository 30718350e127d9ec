import { CLEAN, incomplete, type Origin } from '../../src/domain/completion';
import type { Stop } from '../../src/domain/stop';
import type { CallsResult } from '../../src/execution/calls';
import type { ItemOutcome } from '../../src/pipeline/definition';
import { finalStatus, statusFromCounts } from '../../src/execution/final-status';

const STOPS: readonly (Stop | null)[] = [null, { why: 'cancelled' }, { why: 'handed_back', cause: 'shutdown' }];
const HALTS: readonly CallsResult['halted'][] = [null, { code: 'budget.exhausted', message: 'The cap is reached.' }];
const ORIGINS: readonly (Origin | null)[] = [null, 'clean', 'artifact_missing', 'invariant_drift', 'verify_crashed'];
const reportOf = (origin: Origin | null) =>
  origin === null ? null : origin === 'clean' ? CLEAN : incomplete(origin, ['x'], [], true);

const callsOf = (
  done: number,
  failed: number,
  open: number,
  stop: Stop | null,
  halted: CallsResult['halted'],
): CallsResult => ({
  outcomes: new Map<string, ItemOutcome>([
    ...Array.from({ length: done }, (_none, at): [string, ItemOutcome] => [
      `d${at}`,
      { status: 'done', result: at, requestHash: 'h' },
    ]),
    ...Array.from({ length: failed }, (_none, at): [string, ItemOutcome] => [
      `f${at}`,
      { status: 'failed', code: 'provider.refused', message: 'no' },
    ]),
  ]),
  applicable: done + failed + open,
  completed: done,
  failed,
  stop,
  halted,
  requestHashes: [],
});

/** Spec 20 "Running and finalizing", (2) to (4), spelled out. */
function expected(
  done: number,
  failed: number,
  open: number,
  stop: Stop | null,
  halted: boolean,
  origin: Origin | null,
  marks: number,
  workLeft: boolean,
): string {
  if (stop?.why === 'handed_back') return 'pending';
  if (stop?.why === 'cancelled' && (open > 0 || workLeft)) return 'cancelled';
  if (origin === 'verify_crashed') return 'failed';
  if (halted) return 'partial';
  if (failed > 0 || open > 0) return done === 0 ? 'failed' : 'partial';
  if (origin !== null && origin !== 'clean') return 'partial';
  return marks > 0 ? 'partial' : 'completed';
}

describe('the final status', () => {
  it('is what counts, exit verify, halts, cancels and marks make of it, in every combination, and says why unless completed', () => {
    for (const done of [0, 2])
      for (const failed of [0, 1, 5])
        for (const open of [0, 1])
          for (const stop of STOPS)
            for (const halted of HALTS)
              for (const origin of ORIGINS)
                for (const marks of [0, 3])
                  for (const workLeft of [false, true]) {
                    const final = finalStatus(
                      callsOf(done, failed, open, stop, halted),
                      reportOf(origin),
                      marks,
                      workLeft,
                    );
                    expect(final.status).toBe(
                      expected(done, failed, open, stop, halted !== null, origin, marks, workLeft),
                    );
                    if (!['completed', 'pending'].includes(final.status)) expect(final.message).toMatch(/\S/);
                    if (final.status === 'completed')
                      expect(final).toEqual({ status: 'completed', code: null, message: null });
                  }
  });

  it('names the failures, the first three of them, and counts the rest', () => {
    const { message, code } = finalStatus(callsOf(1, 5, 0, null, null), CLEAN, 0, false);
    expect(message).toBe(
      '1 of 6 items are done, 5 failed. f0: provider.refused: no · f1: provider.refused: no · f2: provider.refused: no · and 2 more',
    );
    expect(code).toBe('provider.refused');
  });

  it('of counts alone: nothing failed is completed, nothing completed is failed, else partial', () => {
    expect(statusFromCounts({ completed: 2, failed: 0, applicable: 2 })).toBe('completed');
    expect(statusFromCounts({ completed: 0, failed: 0, applicable: 0 })).toBe('completed');
    expect(statusFromCounts({ completed: 0, failed: 2, applicable: 2 })).toBe('failed');
    expect(statusFromCounts({ completed: 1, failed: 1, applicable: 2 })).toBe('partial');
    expect(statusFromCounts({ completed: 1, failed: 0, applicable: 2 })).toBe('partial');
  });
});
