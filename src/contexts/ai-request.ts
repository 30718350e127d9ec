import type { ContextStage } from '../domain/context-stages';
import { contentHash } from './content-hash';

/** The body of a request to the AI service (spec 30); docs/rescan.md has the contract. */
export interface AiRequest {
  readonly requestId: string;
  readonly contextId: string;
  readonly projectId: string;
  readonly title: string;
  readonly body: string;
  /** Echoed by every report. */
  readonly contentHash: string;
  /** Only those that are still owed. */
  readonly stages: readonly ContextStage[];
}

/** A service is not sent more than this, in characters; doors refuse such a context, other tools may have written one. */
export const MAX_BODY_CHARACTERS = 500_000;
export const MAX_TITLE_CHARACTERS = 500;

export interface RequestedContent {
  readonly contextId: string;
  readonly projectId: string;
  readonly title: string;
  readonly body: string;
}

/**
 * The one way a request is built, for the first one and for the rescan's (spec 30). Throws a RangeError for content that the
 * service could not take: the caller records that as a failure of this context.
 */
export function buildAiRequest(
  content: RequestedContent,
  stages: readonly ContextStage[],
  requestId: string,
): AiRequest {
  const { contextId, projectId, title, body } = content;
  if (stages.length === 0) throw new RangeError('No stage is owed.');
  if (body.trim() === '') throw new RangeError('The body is empty.');
  if (title.length > MAX_TITLE_CHARACTERS)
    throw new RangeError(`The title has ${title.length} characters; at most ${MAX_TITLE_CHARACTERS} can be sent.`);
  if (body.length > MAX_BODY_CHARACTERS)
    throw new RangeError(`The body has ${body.length} characters; at most ${MAX_BODY_CHARACTERS} can be sent.`);
  return { requestId, contextId, projectId, title, body, contentHash: contentHash({ title, body }), stages };
}
