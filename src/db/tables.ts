import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { ContextTables } from './context-tables';

/** Rows as PostgreSQL holds them. All times are text in ISO 8601; numeric comes as text, see money in src/db/pool.ts. */

export interface StepRunTable {
  id: string;
  project_id: string | null;
  episode_id: string | null;
  step_id: string;
  status: string;
  run_id: string | null;
  resolved_model: string | null;
  input_hash: string | null;
  upstream_revision: string | null;
  prompt_version: string | null;
  applicable_count: number | null;
  completed_count: number | null;
  failed_count: number | null;
  error_message: string | null;
  result_summary: string | null;
  started_at: string | null;
  completed_at: string | null;
  created_at: string;
  updated_at: string;
  sync_status: string | null;
  sync_error: string | null;
  synced_at: string | null;
  recovery_count: number;
  last_recovery_reason: string | null;
  owner_host: string | null;
  owner_pid: number | null;
  owner_boot_id: string | null;
  heartbeat_at: string | null;
  cancel_requested_at: string | null;
  owner_host_id: string | null;
  workflow_id: string | null;
  workflow_run_id: string | null;
  activity_id: string | null;
  activity_task_token: string | null;
  barren_takeovers: number | null;
}

export type StepRun = Selectable<StepRunTable>;

export interface EpisodeTable {
  project_id: string;
  episode_id: string;
  title: string;
  screenplay: string;
  screenplay_version: number;
  screenplay_hash: string;
  created_at: Generated<string>;
  updated_at: Generated<string>;
}

export interface ProjectConfigTable {
  project_id: string;
  settings: string;
  updated_at: Generated<string>;
}

export interface RunTable {
  workflow_run_id: string;
  workflow_id: string;
  project_id: string;
  episode_id: string;
  request_id: string;
  /** JSON: list of step ids. */
  chosen: string;
  /** JSON: list of step ids. */
  force: string;
  /** JSON: step id to list of item ids. */
  items: string;
  screenplay_version: number;
  plan: string | null;
  budget_usd: string | null;
  accepted_at: string;
  opened_at: Generated<string>;
  ended_at: string | null;
  /** `open`, or the state it ended with: failed, blocked, partial, cancelled, done. */
  state: string;
}

export interface RunCancelTable {
  workflow_run_id: string;
  step: string;
  at: Generated<string>;
  by: string;
}

export interface StepDecisionTable {
  id: GeneratedAlways<string>;
  project_id: string;
  episode_id: string;
  step_id: string;
  workflow_id: string | null;
  workflow_run_id: string | null;
  /** `announcement` (decision activity) or `attempt` (step activity). */
  made_by: string;
  attempt: number | null;
  run_id: string | null;
  action: string;
  code: string | null;
  reason: string;
  origin: string | null;
  /** JSON: list of evidence. */
  evidence: string;
  at: Generated<string>;
}

export interface CheckpointTable {
  id: GeneratedAlways<string>;
  project_id: string;
  episode_id: string;
  step_id: string;
  version: number;
  schema_version: number;
  /** JSON: config key to hash. */
  config_hashes: string;
  /** JSON text, exactly as it was hashed. */
  body: string;
  status: string;
  run_id: string | null;
  /** The step that wrote it: its own, or an editor. `restore` for a restored one. */
  written_by: string;
  archived_at: string | null;
  created_at: Generated<string>;
}

export interface ItemResultTable {
  id: GeneratedAlways<string>;
  project_id: string;
  episode_id: string;
  step_id: string;
  item_id: string;
  /** `done` or `failed`. */
  status: string;
  request_hash: string;
  schema_version: number;
  generation: number;
  result: string | null;
  error_code: string | null;
  error_message: string | null;
  purchase_id: string | null;
  run_id: string;
  created_at: Generated<string>;
  archived_at: string | null;
}

export interface StaleMarkTable {
  project_id: string;
  episode_id: string;
  step_id: string;
  /** An item's id or '*'. */
  item_id: string;
  act: string;
  request_id: string | null;
  at: Generated<string>;
}

export interface GenerationTable {
  project_id: string;
  episode_id: string;
  step_id: string;
  item_id: string;
  request_id: string;
  obeyed_at: Generated<string>;
}

export interface ShotSwitchTable {
  project_id: string;
  episode_id: string;
  shot_id: string;
  is_on: boolean;
  by: string;
  at: Generated<string>;
}

export interface AuditTable {
  id: GeneratedAlways<string>;
  at: Generated<string>;
  by: string;
  act: string;
  project_id: string | null;
  episode_id: string | null;
  step_id: string | null;
  run_id: string | null;
  verdict: string | null;
  forced: boolean | null;
  reason: string | null;
  details: Generated<string>;
}

export interface PurchaseTable {
  id: string;
  project_id: string;
  episode_id: string;
  step_id: string;
  item_id: string;
  provider: string;
  model: string;
  request_hash: string;
  generation: number;
  status: string;
  run_id: string;
  workflow_run_id: string | null;
  owner_host: string;
  owner_host_id: string | null;
  owner_pid: number;
  owner_boot_id: string;
  estimated_cost_usd: string;
  cost_usd: string | null;
  usage: string | null;
  provider_request_id: string | null;
  idempotency_key: string;
  key_honoured: boolean;
  response_ref: string | null;
  response_type: string | null;
  error_code: string | null;
  error_message: string | null;
  /** `buy-again` or `give-up`. */
  settled_by_operator: string | null;
  /** Paid and counted, not to be reused any more. */
  unusable_at: string | null;
  unusable_reason: string | null;
  created_at: Generated<string>;
  sent_at: string;
  deadline_at: string;
  settled_at: string | null;
}

export type Purchase = Selectable<PurchaseTable>;

export interface BudgetTable {
  project_id: string;
  run: string;
  cap_usd: string;
  by: string;
  at: Generated<string>;
}

/** What has changed, for those who watch; filled by triggers (migration 060). */
export interface EventTable {
  id: GeneratedAlways<string>;
  /** The transaction that wrote it, as text; readers follow (xid, id). */
  xid: GeneratedAlways<string>;
  at: GeneratedAlways<string>;
  kind: 'step' | 'run';
  project_id: string | null;
  episode_id: string | null;
  step_id: string | null;
  status: string;
  run_id: string | null;
  workflow_id: string | null;
  workflow_run_id: string | null;
  owner_host: string | null;
  owner_pid: number | null;
  started_at: string | null;
  completed_at: string | null;
  cancel_requested_at: string | null;
  applicable_count: number | null;
  completed_count: number | null;
  failed_count: number | null;
  recovery_count: number | null;
  last_recovery_reason: string | null;
  error_message: string | null;
}

export interface Database extends ContextTables {
  step_run: StepRunTable;
  episode: EpisodeTable;
  project_config: ProjectConfigTable;
  run: RunTable;
  run_cancel: RunCancelTable;
  step_decision: StepDecisionTable;
  checkpoint: CheckpointTable;
  item_result: ItemResultTable;
  stale_mark: StaleMarkTable;
  generation: GenerationTable;
  shot_switch: ShotSwitchTable;
  audit: AuditTable;
  purchase: PurchaseTable;
  budget: BudgetTable;
  event: EventTable;
}

export type NewAudit = Insertable<AuditTable>;
