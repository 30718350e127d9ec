import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/db/pool';
import type { EpisodeRef } from '../../src/operations/contract';

/** What an episode at rest consists of. Runs, cancels and decisions belong to the past, and are left behind. */
const TABLES = [
  'project_config',
  'episode',
  'step_run',
  'checkpoint',
  'item_result',
  'stale_mark',
  'generation',
  'shot_switch',
  'purchase',
];

/** Columns that name a row all over the table, and so are made anew. */
const NAMES = new Set(['step_run.id', 'purchase.id']);

/** The same episode in a project of its own, with everything that was made and bought: much faster than making it again. */
export async function copyEpisode(db: Db, from: EpisodeRef): Promise<EpisodeRef> {
  return (await copyEpisodes(db, from, 1))[0]!;
}

/** Many copies, in one statement for each table. */
export async function copyEpisodes(db: Db, from: EpisodeRef, count: number): Promise<EpisodeRef[]> {
  const projectIds = Array.from({ length: count }, () => `p-${randomUUID().slice(0, 12)}`);
  for (const table of TABLES) {
    const columns = await copiedColumns(db, table);
    const values = columns.map((column) => {
      if (column === 'project_id') return sql`copy.id`;
      return NAMES.has(`${table}.${column}`) ? sql`gen_random_uuid()::text` : sql.ref(`${table}.${column}`);
    });
    await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      SELECT ${sql.join(values)} FROM ${sql.table(table)}, unnest(${projectIds}::text[]) AS copy (id)
      WHERE project_id = ${from.projectId} ORDER BY 1`.execute(db);
  }
  return projectIds.map((projectId) => ({ projectId, episodeId: from.episodeId }));
}

/** All but those that the database counts by itself. */
async function copiedColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ column_name: string }>`
    SELECT column_name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND is_identity = 'NO' ORDER BY ordinal_position`.execute(
    db,
  );
  return rows.map((row) => row.column_name);
}
