import type { SnapshotBody, SnapshotContentBody, SnapshotsBody } from '../../bodies/snapshots';
import type { Db } from '../../db/pool';
import { withDatabaseErrors } from '../../db/errors';
import type { CheckpointTable } from '../../db/tables';
import { AppError } from '../../domain/errors';
import type { EpisodeRef } from '../contract';
import type { Selectable } from 'kysely';

type Checkpoint = Selectable<CheckpointTable>;

/** All versions of a step's checkpoint, newest first (spec 20 "Snapshots"). Reads only. Throws db.unavailable. */
export async function listSnapshots(
  db: Db,
  { projectId, episodeId }: EpisodeRef,
  stepId: string,
): Promise<SnapshotsBody> {
  const rows = await withDatabaseErrors('Reading the snapshots failed', () =>
    db
      .selectFrom('checkpoint')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('episode_id', '=', episodeId)
      .where('step_id', '=', stepId)
      .orderBy('version', 'desc')
      .execute(),
  );
  // The newest one counts, unless a force has archived it.
  return {
    projectId,
    episodeId,
    stepId,
    snapshots: rows.map((row, index) => snapshotOf(row, index === 0 && row.archived_at === null)),
  };
}

/** One version with its body. Throws snapshot.unknown, db.unavailable. */
export async function showSnapshot(
  db: Db,
  episode: EpisodeRef,
  stepId: string,
  version: number,
): Promise<SnapshotContentBody> {
  const { snapshots } = await listSnapshots(db, episode, stepId);
  const snapshot = snapshots.find((one) => one.version === version);
  const row = await withDatabaseErrors('Reading the snapshot failed', () =>
    db
      .selectFrom('checkpoint')
      .select('body')
      .where('project_id', '=', episode.projectId)
      .where('episode_id', '=', episode.episodeId)
      .where('step_id', '=', stepId)
      .where('version', '=', version)
      .executeTakeFirst(),
  );
  if (!snapshot || !row) {
    const known = snapshots.map((one) => one.version).join(', ') || 'none';
    throw new AppError(
      'snapshot.unknown',
      `${stepId} of ${episode.episodeId} has no version ${version}; versions: ${known}.`,
    );
  }
  return { ...snapshot, stepId, body: parsed(row.body) };
}

function snapshotOf(row: Checkpoint, current: boolean): SnapshotBody {
  return {
    version: row.version,
    current,
    status: row.status,
    schemaVersion: row.schema_version,
    writtenBy: row.written_by,
    runId: row.run_id,
    characters: row.body.length,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
  };
}

/** A body that is no JSON (set by hand) is shown as its text: looking at it is what snapshots are for. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
