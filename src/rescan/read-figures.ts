import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import { CONTEXT_STAGES, STAGE_STATUSES, type ContextStage, type StageStatus } from '../domain/context-stages';
import { expired, unfinished } from './expired';
import type { RoundSettings } from './settings';

/** What the operator sees of the AI work (spec 30): all from the database, so any process can show it. */
export interface RescanFigures {
  readonly stages: Readonly<Record<ContextStage, Readonly<Record<StageStatus, number>>>>;
  /** retry_count → rows. */
  readonly retryCounts: Readonly<Record<string, number>>;
  /** Retries spent, and a stage still owed: must fall to 0 within an interval. */
  readonly exhausted: number;
  /** Expired rows that wait for a round. */
  readonly expired: number;
  /** Sums of all rounds and requests, by name and label. */
  readonly counters: readonly { readonly name: string; readonly label: string; readonly value: number }[];
}

/** Reads on one snapshot; the caller opens it. */
export async function readFigures(tx: Tx, settings: RoundSettings): Promise<RescanFigures> {
  const { rows: groups } = await sql<{
    embedding: StageStatus;
    summary: StageStatus;
    retry_count: number;
    count: string;
  }>`
    SELECT embedding_status AS embedding, summary_status AS summary, retry_count, count(*) AS count
    FROM ai.context_ai_state GROUP BY 1, 2, 3 ORDER BY 3`.execute(tx);
  const { rows: owed } = await sql<{ exhausted: string; expired: string }>`
    SELECT count(*) FILTER (WHERE retry_count >= ${settings.maxRetries}) AS exhausted,
           count(*) FILTER (WHERE ${expired(settings)}) AS expired
    FROM ai.context_ai_state WHERE ${unfinished()}`.execute(tx);
  const counters = await tx.selectFrom('ai.rescan_counter').selectAll().orderBy('name').orderBy('label').execute();
  const retryCounts: Record<string, number> = {};
  const stages = Object.fromEntries(
    CONTEXT_STAGES.map((stage) => [stage, Object.fromEntries(STAGE_STATUSES.map((status) => [status, 0]))]),
  ) as Record<ContextStage, Record<StageStatus, number>>;
  for (const { embedding, summary, retry_count, count } of groups) {
    stages.embedding[embedding] += Number(count);
    stages.summary[summary] += Number(count);
    retryCounts[retry_count] = (retryCounts[retry_count] ?? 0) + Number(count);
  }
  return {
    stages,
    retryCounts,
    exhausted: Number(owed[0]?.exhausted ?? 0),
    expired: Number(owed[0]?.expired ?? 0),
    counters,
  };
}
