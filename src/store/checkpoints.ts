import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { CheckpointTable } from '../db/tables';
import type { Json } from '../domain/json';
import type { StepKey } from '../ledger/key';

/** One version of a step's checkpoint (spec 00 "checkpoints"). Older versions stay readable as snapshots. */
export interface Checkpoint {
  readonly stepId: string;
  readonly version: number;
  readonly schemaVersion: number;
  readonly configHashes: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: string;
  readonly runId: string | null;
  readonly writtenBy: string;
  readonly createdAt: string;
}

/** A row as the rest of Callsheet sees it. */
export function toCheckpoint(row: Selectable<CheckpointTable>): Checkpoint {
  const hashes = hashesOf(row.config_hashes);
  return {
    stepId: row.step_id,
    version: row.version,
    schemaVersion: row.schema_version,
    configHashes: hashes ?? {},
    // Damage to either is damage to the checkpoint, never a silent skip.
    body: hashes ? parseOrText(row.body) : row.body,
    status: row.status,
    runId: row.run_id,
    writtenBy: row.written_by,
    createdAt: row.created_at,
  };
}

/** A body that is no JSON any more stays text: no step's shape, so that its verifier says contract_drift (cases C34). */
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function hashesOf(text: string): Readonly<Record<string, string>> | null {
  const value = parseOrText(text);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, string>) : null;
}

/** The newest version of every step of an episode that is not archived. */
export async function currentCheckpoints(
  db: Db | Tx,
  projectId: string,
  episodeId: string,
): Promise<ReadonlyMap<string, Checkpoint>> {
  const rows = await db
    .selectFrom('checkpoint')
    .selectAll()
    .distinctOn('step_id')
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .orderBy('step_id')
    .orderBy('version', 'desc')
    .execute();
  return new Map(rows.filter((row) => row.archived_at === null).map((row) => [row.step_id, toCheckpoint(row)]));
}

export interface NewCheckpoint {
  readonly schemaVersion: number;
  readonly configHashes: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly status: string;
  readonly runId: string | null;
  readonly writtenBy: string;
}

/** Saves the next version. In one transaction with the status that it goes with (spec 00); the step's row is locked by then. */
export async function saveCheckpoint(tx: Tx, key: StepKey, checkpoint: NewCheckpoint): Promise<number> {
  const saved = await sql<{ version: number }>`
    INSERT INTO checkpoint (project_id, episode_id, step_id, version, schema_version, config_hashes, body, status, run_id, written_by)
    SELECT ${key.projectId}, ${key.episodeId}, ${key.stepId}, COALESCE(MAX(version), 0) + 1,
           ${checkpoint.schemaVersion}::integer, ${JSON.stringify(checkpoint.configHashes)}, ${JSON.stringify(checkpoint.body)},
           ${checkpoint.status}, ${checkpoint.runId}, ${checkpoint.writtenBy}
    FROM checkpoint WHERE project_id = ${key.projectId} AND episode_id = ${key.episodeId} AND step_id = ${key.stepId}
    RETURNING version`.execute(tx);
  return saved.rows[0]!.version;
}

/** Force: the checkpoints of a step are archived, not lost (spec 20, `force_explicit`). */
export async function archiveCheckpoints(tx: Tx, key: StepKey): Promise<void> {
  await tx
    .updateTable('checkpoint')
    .set({ archived_at: sql`callsheet_now()` })
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('archived_at', 'is', null)
    .execute();
}
