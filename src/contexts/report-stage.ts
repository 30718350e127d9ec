import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { ContextStage, StageStatus } from '../domain/context-stages';
import { effectOfReport, type ReportedStatus } from '../domain/stage-report';
import { contentHash } from './content-hash';
import { storableReason } from './failure-text';

export interface StageReport {
  readonly contextId: string;
  readonly stage: ContextStage;
  readonly status: ReportedStatus;
  /** Of the content that the stage was asked about. */
  readonly contentHash: string;
  /** With COMPLETED. */
  readonly result?: unknown;
  /** With FAILED. */
  readonly reason?: string;
}

export interface ReportOutcome {
  /** Whether the stage's status changed. */
  readonly changed: boolean;
  /** The stage as it is now. */
  readonly status: StageStatus;
  readonly why: string;
}

/**
 * Takes in what the AI service says of a stage (spec 30). Locks context, then state, as every writer does, so that a replace or
 * a delete comes wholly before or wholly after. Undefined: there is no such context.
 */
export async function reportStage(tx: Tx, report: StageReport): Promise<ReportOutcome | undefined> {
  const { contextId, stage } = report;
  const context = await tx
    .selectFrom('core.context')
    .select(['title', 'body', 'deleted_at'])
    .where('id', '=', contextId)
    .forShare()
    .executeTakeFirst();
  const state = await tx
    .selectFrom('ai.context_ai_state')
    .select(['embedding_status', 'summary_status'])
    .where('context_id', '=', contextId)
    .forUpdate()
    .executeTakeFirst();
  if (!context || !state) return undefined;
  const status = stage === 'embedding' ? state.embedding_status : state.summary_status;
  if (context.deleted_at !== null) return { changed: false, status, why: 'the context is deleted' };
  if (contentHash(context) !== report.contentHash)
    return { changed: false, status, why: 'the report is about other content' };
  const effect = effectOfReport(status, report.status);
  if (effect.keepsFailure) await keepReason(tx, contextId, stage, report.reason ?? 'no reason given');
  if (effect.becomes === null) return { changed: false, status, why: effect.why };
  await tx
    .updateTable('ai.context_ai_state')
    .set({ [`${stage}_status`]: effect.becomes, updated_at: sql<Date>`now()` })
    .where('context_id', '=', contextId)
    .execute();
  if (effect.becomes === 'COMPLETED') await keepResult(tx, report);
  return { changed: true, status: effect.becomes, why: effect.why };
}

/** `updated_at` stays: a failure alone is no change of a stage. */
async function keepReason(tx: Tx, contextId: string, stage: ContextStage, reason: string): Promise<void> {
  await tx
    .updateTable('ai.context_ai_state')
    .set({ last_failure: storableReason(`${stage} failed: ${reason}`) })
    .where('context_id', '=', contextId)
    .execute();
}

async function keepResult(tx: Tx, { contextId, stage, contentHash: hash, result }: StageReport): Promise<void> {
  const kept = { content_hash: hash, result: JSON.stringify(result) };
  await tx
    .insertInto('ai.context_result')
    .values({ context_id: contextId, stage, ...kept })
    .onConflict((conflict) =>
      conflict.columns(['context_id', 'stage']).doUpdateSet({ ...kept, created_at: sql<Date>`now()` }),
    )
    .execute();
}
