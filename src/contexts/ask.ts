import type { Db } from '../db/pool';
import type { AskFailure, StageStatuses } from '../domain/context-stages';
import type { Logger } from '../observability/logger';
import type { AiClient, Send } from './ai-client';
import { buildAiRequest } from './ai-request';
import { failureText } from './failure-text';
import { readOwed } from './read-owed';
import { recordFailure } from './record-failure';

export interface AskDependencies {
  readonly db: Db;
  readonly client: AiClient;
  readonly log: Logger;
}

export type AskOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'failed'; readonly reason: AskFailure }
  /** Finished or cancelled meanwhile. */
  | { readonly outcome: 'nothing_owed' }
  /** Stages are owed, and there is no live context to ask about. */
  | { readonly outcome: 'no_context'; readonly deleted: boolean; readonly statuses: StageStatuses };

/** What is kept of a request that did not get through. */
interface Unsent {
  readonly outcome: 'unsent';
  readonly reason: AskFailure;
  readonly detail: string;
  readonly requestId: string;
}

/**
 * Asks the AI service for the stages of a context that are still owed (spec 30): when its turn has come, reads the context anew,
 * builds the request and sends it, so that nothing is sent that was finished, deleted or replaced while it waited. No transaction
 * is open meanwhile. Never rejects: a failure is kept in `last_failure`, and the rescan asks again.
 */
export async function askAi(deps: AskDependencies, contextId: string, stop?: AbortSignal): Promise<AskOutcome> {
  const asked = await deps.client.inTurn((send) => ask(deps, contextId, (request) => send(request, stop)));
  if (asked.outcome !== 'unsent') return asked;
  await keepFailure(deps, contextId, asked); // after its turn: a row that is held makes no other request wait
  return { outcome: 'failed', reason: asked.reason };
}

async function ask({ db, log }: AskDependencies, contextId: string, send: Send): Promise<AskOutcome | Unsent> {
  let owed;
  try {
    owed = await readOwed(db, contextId);
  } catch (error) {
    // The database: nothing can be kept either. The row stays as it was claimed, and the next round finds it.
    log.warn({ contextId, err: error }, 'the context could not be read: it is asked for again');
    return { outcome: 'failed', reason: 'read_failed' };
  }
  if (!owed || owed.unfinished.length === 0) return { outcome: 'nothing_owed' };
  if (!owed.content) return { outcome: 'no_context', deleted: owed.deleted, statuses: owed.statuses };
  const { content, unfinished, requestId } = owed;
  const built = attempt(() => buildAiRequest(content, unfinished, requestId));
  if (!built.ok) return { outcome: 'unsent', reason: 'build_failed', detail: built.detail, requestId };
  const sent = await send(built.request);
  return sent.sent ? { outcome: 'sent' } : { outcome: 'unsent', reason: sent.reason, detail: sent.detail, requestId };
}

type Built =
  | { readonly ok: true; readonly request: ReturnType<typeof buildAiRequest> }
  | { readonly ok: false; readonly detail: string };

function attempt(build: () => ReturnType<typeof buildAiRequest>): Built {
  try {
    return { ok: true, request: build() };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

async function keepFailure(
  { db, log }: AskDependencies,
  contextId: string,
  { reason, detail, requestId }: Unsent,
): Promise<void> {
  log.warn({ contextId, requestId, reason, detail }, 'a request to the AI service failed');
  try {
    await recordFailure(db, contextId, requestId, failureText(reason, detail, requestId));
  } catch (error) {
    log.warn({ contextId, requestId, err: error }, 'the failure could not be kept: it stands in this log only');
  }
}
