import { shortTransaction } from '../db/transaction';
import type { Db } from '../db/pool';
import { AppError } from '../domain/errors';
import { checkId } from '../domain/ids';
import {
  PROJECT_CONFIG_KEYS,
  parseProjectConfig,
  type ProjectConfig,
  type ProjectConfigKey,
} from '../pipeline/project-config';
import { audit } from '../store/audit';
import { readProjectConfig, readSettings } from '../store/episodes';

/** Throws config.unknown_key, naming the keys there are. */
export function checkSettingKey(key: string): ProjectConfigKey {
  const known = PROJECT_CONFIG_KEYS.find((one) => one === key);
  if (known) return known;
  throw new AppError(
    'config.unknown_key',
    `There is no setting ${JSON.stringify(key.slice(0, 80))}. Settings: ${PROJECT_CONFIG_KEYS.join(', ')}.`,
  );
}

/**
 * Sets one setting of a project (spec 20 "Config belongs to the project"). It marks nothing stale; steps that list the key see
 * drift at their next decision. Audited. Throws config.unknown_key, config.invalid, id.invalid, db.unavailable.
 */
export async function setSetting(
  db: Db,
  input: { readonly projectId: string; readonly key: string; readonly value: string; readonly by: string },
): Promise<ProjectConfig> {
  const { projectId, by } = input;
  checkId('project', projectId);
  const key = checkSettingKey(input.key);
  const value = valueFor(key, input.value);
  return shortTransaction(db, 'Setting the project failed', async (tx) => {
    // The row is there and locked before it is read, so that two settings set at once both stand.
    await tx
      .insertInto('project_config')
      .values({ project_id: projectId, settings: '{}' })
      .onConflict((conflict) => conflict.column('project_id').doNothing())
      .execute();
    await tx
      .selectFrom('project_config')
      .select('project_id')
      .where('project_id', '=', projectId)
      .forUpdate()
      .execute();
    const settings = { ...(await readSettings(tx, projectId)), [key]: value };
    parseProjectConfig(settings);
    await tx
      .updateTable('project_config')
      .set((row) => ({ settings: JSON.stringify(settings), updated_at: row.fn<string>('callsheet_now', []) }))
      .where('project_id', '=', projectId)
      .execute();
    await audit(tx, { by, act: 'config', projectId, episodeId: null, details: { key, value } });
    return readProjectConfig(tx, projectId);
  });
}

/** A command line has only texts: a number is tried where the text itself is not allowed. Throws config.invalid. */
function valueFor(key: ProjectConfigKey, text: string): unknown {
  const fits = (value: unknown) => {
    try {
      return parseProjectConfig({ [key]: value })[key] === value;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
  if (fits(text)) return text;
  const number = text.trim() === '' ? NaN : Number(text);
  if (fits(number)) return number;
  parseProjectConfig({ [key]: text });
  throw new AppError('config.invalid', `Setting ${key} cannot be ${JSON.stringify(text.slice(0, 80))}.`);
}
