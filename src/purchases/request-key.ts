import type { ProviderRequest } from '../providers/port';
import { hashOf } from '../hash';

/** What makes two calls the same call: never the run, never the item (spec 40 "Purchases"). */
export interface RequestKey {
  readonly projectId: string;
  readonly episodeId: string;
  readonly stepId: string;
  readonly requestHash: string;
  readonly generation: number;
}

/** Hash of the canonical JSON of all that shapes the answer. */
export function requestHashOf(request: ProviderRequest): string {
  return hashOf(request);
}

/**
 * Fixed by step, request hash and generation, never by run. `ask` counts the answers that were charged and could not be
 * read: under their key the provider would only repeat itself, so the next ask has one of its own.
 */
export function idempotencyKeyOf(key: RequestKey, ask: number): string {
  const { projectId, episodeId, stepId, requestHash, generation } = key;
  return `callsheet-${hashOf([projectId, episodeId, stepId, requestHash, generation, ask])}`;
}
