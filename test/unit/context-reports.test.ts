import { STAGE_STATUSES, unfinishedStages } from '../../src/domain/context-stages';
import { effectOfReport, type ReportedStatus } from '../../src/domain/stage-report';

describe('what a report does to a stage', () => {
  /** The stage before → the stage after PROCESSING, COMPLETED and FAILED; `=` is no change, `!` keeps the reason. */
  const table: Record<string, readonly [string, string, string]> = {
    PENDING: ['PROCESSING', 'COMPLETED', '=!'],
    PROCESSING: ['=', 'COMPLETED', 'PENDING!'],
    COMPLETED: ['=', '=', '='],
    FAILED: ['=', 'COMPLETED', '=!'],
    CANCELLED: ['=', '=', '='],
  };
  const reported: readonly ReportedStatus[] = ['PROCESSING', 'COMPLETED', 'FAILED'];

  it.each(
    STAGE_STATUSES.flatMap((before) =>
      reported.map((report, index) => [before, report, table[before]![index]!] as const),
    ),
  )('%s, reported %s: %s', (before, report, after) => {
    const { becomes, keepsFailure } = effectOfReport(before, report);
    expect(`${becomes ?? '='}${keepsFailure ? '!' : ''}`).toBe(after);
  });

  it('is never FAILED: only finalize writes that', () => {
    const all = STAGE_STATUSES.flatMap((before) => reported.map((report) => effectOfReport(before, report).becomes));
    expect(all).not.toContain('FAILED');
    expect(all).not.toContain('CANCELLED');
  });
});

describe('the stages that are owed', () => {
  it('are the PENDING and the PROCESSING ones, in one order', () => {
    expect(unfinishedStages({ embedding: 'PROCESSING', summary: 'PENDING' })).toEqual(['embedding', 'summary']);
    expect(unfinishedStages({ embedding: 'COMPLETED', summary: 'PENDING' })).toEqual(['summary']);
    expect(unfinishedStages({ embedding: 'FAILED', summary: 'CANCELLED' })).toEqual([]);
  });
});
