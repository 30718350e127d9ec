import type { ColumnType, Generated } from 'kysely';
import type { ContextStage, StageStatus } from '../domain/context-stages';

/** Contexts and their AI work (spec 30). Unlike the ledger's, these times are timestamptz: expiry is computed in SQL. */

/** A bigint comes as text. */
type BigintIdentity = ColumnType<string, string | undefined, never>;
type Moment = ColumnType<Date, Date | undefined, Date>;

export interface ContextTable {
  id: BigintIdentity;
  project_id: string;
  title: string;
  body: string;
  created_at: Moment;
  updated_at: Moment;
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface ContextAiStateTable {
  /** No foreign key: a state may outlive its context, and is then ended by the rescan (spec 30). */
  context_id: string;
  embedding_status: Generated<StageStatus>;
  summary_status: Generated<StageStatus>;
  retry_count: Generated<number>;
  last_failure: string | null;
  /** Of the newest request: what the AI service's log knows it by. */
  last_request_id: string | null;
  created_at: Moment;
  updated_at: Moment;
}

export interface ContextResultTable {
  context_id: string;
  stage: ContextStage;
  content_hash: string;
  /** JSON. */
  result: string;
  created_at: Moment;
}

export interface RescanCounterTable {
  name: string;
  label: string;
  value: number;
}

export interface ContextTables {
  'core.context': ContextTable;
  'ai.context_ai_state': ContextAiStateTable;
  'ai.context_result': ContextResultTable;
  'ai.rescan_counter': RescanCounterTable;
}
