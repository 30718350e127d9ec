import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { StepRun } from '../db/tables';
import type { StepKey } from './key';

export interface RowNow {
  readonly row: StepRun | null;
  /** The database's clock, read in the same query as the row it judges (spec 10 "Times"). */
  readonly now: string;
}

/** One step's row, whatever its status. */
export async function readRow(db: Db | Tx, key: StepKey): Promise<RowNow> {
  const { projectId, episodeId, stepId } = key;
  const { rows, now } = await readRows(db, { projectId, episodeId, stepId });
  return { row: rows[0] ?? null, now };
}

export interface RowFilter {
  readonly id?: string;
  readonly projectId?: string;
  readonly episodeId?: string;
  readonly stepId?: string;
  readonly status?: string;
  readonly ownerHost?: string;
}

/** Rows by what they name, with the clock of the same query; rows of other tools and without a project too. */
export async function readRows(db: Db | Tx, filter: RowFilter): Promise<{ rows: StepRun[]; now: string }> {
  let query = db
    .selectFrom(sql<{ now: string }>`(SELECT callsheet_now() AS now)`.as('clock'))
    .leftJoin('step_run', (join) => {
      let on = join.onTrue();
      if (filter.id !== undefined) on = on.on('step_run.id', '=', filter.id);
      if (filter.projectId !== undefined) on = on.on('step_run.project_id', '=', filter.projectId);
      if (filter.episodeId !== undefined) on = on.on('step_run.episode_id', '=', filter.episodeId);
      if (filter.stepId !== undefined) on = on.on('step_run.step_id', '=', filter.stepId);
      if (filter.status !== undefined) on = on.on('step_run.status', '=', filter.status);
      if (filter.ownerHost !== undefined) on = on.on('step_run.owner_host', '=', filter.ownerHost);
      return on;
    })
    .selectAll('step_run')
    .select('clock.now');
  query = query.orderBy('step_run.started_at').orderBy('step_run.id');
  const found = await query.execute();
  const now = found[0]?.now;
  if (now === undefined) throw new TypeError('The database answered no clock.');
  const rows = found.flatMap(({ now: _now, ...row }) => (row.id === null ? [] : [row as StepRun]));
  return { rows, now };
}
