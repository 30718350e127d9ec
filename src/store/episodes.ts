import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { EpisodeTable } from '../db/tables';
import { AppError } from '../domain/errors';
import { parseProjectConfig, type ProjectConfig } from '../pipeline/project-config';

export type Episode = Selectable<EpisodeTable>;

/** The episode's record, or undefined. */
export function readEpisode(db: Db | Tx, projectId: string, episodeId: string): Promise<Episode | undefined> {
  return db
    .selectFrom('episode')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .executeTakeFirst();
}

/** Locks the episode's row: starting a run and replacing the screenplay exclude each other by it (spec 15 "Starting"). */
export function lockEpisode(tx: Tx, projectId: string, episodeId: string): Promise<Episode | undefined> {
  return tx
    .selectFrom('episode')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .forUpdate()
    .executeTakeFirst();
}

/** The project's settings as a person set them, without defaults. */
export async function readSettings(db: Db | Tx, projectId: string): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom('project_config')
    .select('settings')
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ? parseSettings(projectId, row.settings) : {};
}

function parseSettings(projectId: string, text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, with what to do.
  }
  throw new AppError('config.invalid', `The stored settings of project ${projectId} are not a JSON object.`);
}

/** Under which the defaults of all projects are kept; no project can have this id. */
const DEFAULTS = '*';

/** What callsheet.config.json said last: defaults for every project (spec 20 "Contract"). */
export function readDefaults(db: Db | Tx): Promise<Record<string, unknown>> {
  return readSettings(db, DEFAULTS);
}

export async function writeDefaults(tx: Tx, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const text = JSON.stringify(settings);
  await tx
    .insertInto('project_config')
    .values({ project_id: DEFAULTS, settings: text })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ settings: text, updated_at: sql`callsheet_now()` }),
    )
    .execute();
}

/** The project's settings with defaults filled in: its own, else those of callsheet.config.json, else the release's. Throws config.invalid. */
export async function readProjectConfig(db: Db | Tx, projectId: string): Promise<ProjectConfig> {
  const own = Object.entries(await readSettings(db, projectId)).filter(([, value]) => value !== null); // null and absent are one
  return parseProjectConfig({ ...(await readDefaults(db)), ...Object.fromEntries(own) });
}

/** A person's switches of an episode's shots. */
export async function readShotSwitches(
  db: Db | Tx,
  projectId: string,
  episodeId: string,
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .selectFrom('shot_switch')
    .select(['shot_id', 'is_on'])
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .execute();
  return new Map(rows.map((row) => [row.shot_id, row.is_on]));
}
