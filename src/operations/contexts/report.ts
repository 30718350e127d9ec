import type { StageReportBody } from '../../bodies/contexts';
import { reportStage } from '../../contexts/report-stage';
import { shortTransaction } from '../../db/transaction';
import { checkContextId } from '../../domain/ids';
import { checkedReport, checkedStage } from './checked-input';
import type { ContextDependencies } from './dependencies';
import { unknownContext } from './write';

/** Takes in what the AI service says of a stage (spec 30). Throws context.unknown, input.invalid. */
export async function takeReport(
  { db, log }: ContextDependencies,
  input: { readonly id: string; readonly stage: string; readonly report: unknown },
): Promise<StageReportBody> {
  const contextId = checkContextId(input.id);
  const stage = checkedStage(input.stage);
  const { requestId, ...report } = checkedReport(stage, input.report);
  const outcome = await shortTransaction(db, 'Taking in a report', (tx) =>
    reportStage(tx, { contextId, stage, ...report }),
  );
  if (!outcome) throw unknownContext(contextId);
  log.info({ contextId, stage, requestId, reported: report.status, ...outcome }, 'the AI service reported');
  return { ...outcome };
}
