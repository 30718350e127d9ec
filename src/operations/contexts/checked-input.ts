import { embeddingResult, stageReportInput, summaryResult, type StageReportInput } from '../../bodies/contexts';
import { MAX_BODY_CHARACTERS, MAX_TITLE_CHARACTERS } from '../../contexts/ai-request';
import { AppError } from '../../domain/errors';
import { isContextStage, type ContextStage } from '../../domain/context-stages';
import { withoutNul } from '../../store/decisions';

/** Title and body as they are kept: what PostgreSQL cannot hold is replaced, before anything is hashed. Throws input.invalid. */
export function checkedText(input: { readonly title: string; readonly body: string }): { title: string; body: string } {
  const title = withoutNul(input.title).trim();
  const body = withoutNul(input.body);
  requireLength('title', title, MAX_TITLE_CHARACTERS);
  requireLength('body', body, MAX_BODY_CHARACTERS);
  return { title, body };
}

function requireLength(field: string, text: string, most: number): void {
  if (text.trim() === '') throw new AppError('input.invalid', `The ${field} is empty.`);
  if (text.length > most)
    throw new AppError('input.invalid', `The ${field} has ${text.length} characters; at most ${most} are taken.`);
}

/** Throws input.invalid, naming the stages there are. */
export function checkedStage(stage: string): ContextStage {
  if (isContextStage(stage)) return stage;
  throw new AppError(
    'input.invalid',
    `There is no stage ${JSON.stringify(stage.slice(0, 80))}. Stages: embedding, summary.`,
  );
}

export interface CheckedReport {
  readonly status: StageReportInput['status'];
  readonly contentHash: string;
  readonly requestId: string | undefined;
  readonly result?: unknown;
  readonly reason?: string;
}

/** A report of the AI service, with a result that fits its stage. Throws input.invalid, naming the field. */
export function checkedReport(stage: ContextStage, report: unknown): CheckedReport {
  const parsed = stageReportInput.safeParse(report);
  if (!parsed.success) throw invalid(parsed.error.issues[0]);
  const { requestId, ...rest } = parsed.data;
  if (rest.status !== 'COMPLETED') return { ...rest, requestId };
  const result = (stage === 'embedding' ? embeddingResult : summaryResult).safeParse(rest.result);
  if (!result.success) throw invalid(result.error.issues[0], 'result');
  return {
    ...rest,
    requestId,
    result: 'text' in result.data ? { ...result.data, text: withoutNul(result.data.text) } : result.data,
  };
}

function invalid(
  issue: { readonly path: PropertyKey[]; readonly message: string } | undefined,
  within?: string,
): AppError {
  const place = [...(within === undefined ? [] : [within]), ...(issue?.path ?? [])].map(String).join('.');
  return new AppError('input.invalid', `${place === '' ? 'The report' : place}: ${issue?.message ?? 'invalid'}.`);
}
