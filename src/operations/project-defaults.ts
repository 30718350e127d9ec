import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { shortTransaction } from '../db/transaction';
import type { Db } from '../db/pool';
import { canonicalJson } from '../domain/canonical';
import { AppError } from '../domain/errors';
import { parseProjectConfig } from '../pipeline/project-config';
import { audit } from '../store/audit';
import { readDefaults, writeDefaults } from '../store/episodes';

/** Defaults for the settings of every project, in the working directory (spec 20 "Contract"). */
const DEFAULTS_FILE = 'callsheet.config.json';

/**
 * Takes over the file's settings, where there is one, so that every process of every host decides by the same ones: they are
 * kept in the database, and a project's own settings outweigh them. What means the same (order of keys, white space, line ends,
 * BOM) is no change. Where the file is gone, what it said last stays. Throws config.invalid and config.unknown_key, naming the
 * file; db.*.
 */
export async function applyProjectDefaults(db: Db, file = path.resolve(DEFAULTS_FILE)): Promise<void> {
  const settings = await settingsIn(file);
  if (settings === null || canonicalJson(settings) === canonicalJson(await readDefaults(db))) return;
  await shortTransaction(db, 'Taking over the default settings', async (tx) => {
    await writeDefaults(tx, settings);
    await audit(tx, {
      by: DEFAULTS_FILE,
      act: 'config_defaults',
      projectId: null,
      episodeId: null,
      details: { settings },
    });
  });
}

/** null: there is no such file. */
async function settingsIn(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new AppError('config.invalid', `${file} cannot be read: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
  const settings = objectIn(file, text.replace(/^\ufeff/, ''));
  try {
    parseProjectConfig(settings);
  } catch (error) {
    if (error instanceof AppError)
      throw new AppError(error.code, `${file}: ${error.message}`, undefined, { cause: error });
    throw error;
  }
  return settings;
}

function objectIn(file: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new AppError('config.invalid', `${file} is no JSON: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
  throw new AppError('config.invalid', `${file} must hold one JSON object: { "style": "…" }.`);
}
