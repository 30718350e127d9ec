import { AppError } from '../domain/errors';
import type { Json } from '../domain/json';
import type { StepCall } from '../pipeline/definition';
import type { ProviderReply } from '../providers/port';
import type { ArtifactStore } from '../store/artifacts/store';
import { isMoney } from './money';
import type { Settlement } from './settle';

type Answer = Extract<ProviderReply, { outcome: 'answer' }>;

export type Delivered =
  | { readonly delivered: 'results'; readonly results: Readonly<Record<string, Json>>; readonly settlement: Settlement }
  | { readonly delivered: 'invalid'; readonly settlement: Settlement }
  /** The reader has a bug: the answer is settled all the same, and read again once that is mended. */
  | { readonly delivered: 'reader_failed'; readonly error: unknown; readonly settlement: Settlement }
  /** Paid, counted, and lost: the disk did not take it. */
  | { readonly delivered: 'not_stored'; readonly error: unknown; readonly settlement: Settlement };

/** What a provider says that it cost; where that is no sum of money, the estimate stands in, rather than nothing. */
function costOf(answer: Answer, estimateUsd: number): number {
  return isMoney(answer.costUsd) ? answer.costUsd : estimateUsd;
}

/**
 * Puts the content into the artifact store, then reads it, and says how the purchase is to be settled (spec 40). Nothing here
 * throws: what was paid must reach the settle.
 */
export async function deliver(
  artifacts: ArtifactStore,
  { stepId, call, estimateUsd }: { readonly stepId: string; readonly call: StepCall; readonly estimateUsd: number },
  answer: Answer,
): Promise<Delivered> {
  const base = {
    costUsd: costOf(answer, estimateUsd),
    usage: answer.usage,
    ...(answer.providerRequestId !== undefined && { providerRequestId: answer.providerRequestId }),
    contentType: answer.contentType,
    errorCode: null,
    errorMessage: null,
  };
  if (answer.content.byteLength === 0)
    return {
      delivered: 'invalid',
      settlement: {
        ...base,
        status: 'invalid',
        artifact: null,
        errorCode: 'provider.invalid_answer',
        errorMessage: answer.unusable ?? 'empty answer',
      },
    };
  let artifact: string;
  try {
    artifact = await artifacts.put(answer.content);
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : String(error);
    const lost = {
      ...base,
      status: 'invalid',
      artifact: null,
      errorCode: 'purchase.store_failed',
      errorMessage,
    } as const;
    return { delivered: 'not_stored', error, settlement: lost };
  }
  const invalid = (reason: string, code: 'provider.invalid_answer' | 't2i_review.unknown_item_id'): Delivered => ({
    delivered: 'invalid',
    settlement: { ...base, status: 'invalid', artifact, errorCode: code, errorMessage: reason },
  });
  if (answer.unusable !== undefined) return invalid(answer.unusable, 'provider.invalid_answer');
  try {
    const reading = await call.read({ content: answer.content, contentType: answer.contentType, artifact });
    // The code is the editor's own: of another step it would send the reader to a review that never took place.
    const isEditors = !reading.ok && reading.unknownItem === true && stepId === 't2i_review';
    if (!reading.ok)
      return invalid(reading.reason, isEditors ? 't2i_review.unknown_item_id' : 'provider.invalid_answer');
    return { delivered: 'results', results: reading.results, settlement: { ...base, status: 'settled', artifact } };
  } catch (error) {
    return { delivered: 'reader_failed', error, settlement: { ...base, status: 'settled', artifact } };
  }
}

/** The refusal's words, kept with what it cost. */
export function settleRefusal(reply: Extract<ProviderReply, { outcome: 'refused' }>): Settlement {
  return {
    status: 'refused',
    costUsd: isMoney(reply.costUsd) ? reply.costUsd : 0,
    usage: null,
    ...(reply.providerRequestId !== undefined && { providerRequestId: reply.providerRequestId }),
    artifact: null,
    contentType: null,
    errorCode: 'provider.refused',
    errorMessage: reply.reason,
  };
}

/** The error to pass on after the settle: a full disk as it is, anything else as it was thrown. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new AppError('internal.unexpected', String(error));
}
