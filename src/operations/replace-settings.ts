import { sql } from 'kysely';
import type { SettingsBody } from '../bodies/settings';
import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { checkId } from '../domain/ids';
import { parseProjectConfig } from '../pipeline/project-config';
import { audit } from '../store/audit';
import { readProjectSettings } from './queries/project-settings';

export interface NewSettings {
  readonly projectId: string;
  /** What is not named gets its default. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly by: string;
}

/**
 * Replaces a project's settings as a whole (spec 20 `PUT …/config`). It marks nothing stale: steps that list a changed key see
 * drift at their next decision. Audited. Throws config.unknown_key, config.invalid, id.invalid, db.*.
 */
export async function replaceSettings(db: Db, { projectId, settings, by }: NewSettings): Promise<SettingsBody> {
  checkId('project', projectId);
  parseProjectConfig(settings);
  const text = JSON.stringify(settings);
  await shortTransaction(db, 'Replacing the settings', async (tx) => {
    await tx
      .insertInto('project_config')
      .values({ project_id: projectId, settings: text })
      .onConflict((conflict) =>
        conflict.column('project_id').doUpdateSet({ settings: text, updated_at: sql<string>`callsheet_now()` }),
      )
      .execute();
    await audit(tx, { by, act: 'config', projectId, episodeId: null, details: { settings } });
  });
  return { projectId, settings: await readProjectSettings(db, projectId) };
}
