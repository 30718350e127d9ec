import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config';
import { childEnvironment } from '../config';
import { AppError } from '../domain/errors';
import { checkTemporal } from './temporal-binary';
import { useCache, withCacheLock } from './temporal-cache';
import { download } from './temporal-download';
import { buildWithGo, goVersion } from './temporal-go-build';

export type TemporalSource = 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'go';

export interface FoundTemporal {
  readonly file: string;
  readonly source: TemporalSource;
}

/** The first `temporal` on PATH that is executable. */
export function onPath(searchPath = childEnvironment({}).PATH ?? ''): string | undefined {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  return folders
    .map((folder) => path.join(folder, 'temporal'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

async function named(file: string): Promise<FoundTemporal> {
  const check = await checkTemporal(file);
  if (!check.ok) throw new AppError('temporal.no_server', `TEMPORAL_CLI_PATH=${file} cannot be used: ${check.reason}.`);
  return { file, source: 'TEMPORAL_CLI_PATH' };
}

async function fetched(
  cacheDir: string,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<FoundTemporal> {
  const cached = await useCache(cacheDir, say);
  if (cached !== undefined) return { file: cached, source: 'cache' };
  say("Temporal server: downloading it (the SDK's own download) …");
  const downloaded = await download(cacheDir, signal);
  signal?.throwIfAborted();
  if (downloaded.ok) return { file: downloaded.file, source: 'download' };
  say(`Temporal server: the download failed: ${downloaded.reason}.`);
  if ((await goVersion()) === undefined) say('Temporal server: there is no Go to build it with.');
  else {
    const built = await buildWithGo(cacheDir, say, signal);
    signal?.throwIfAborted();
    if (built.ok) return { file: built.file, source: 'go' };
    say(`Temporal server: the build failed: ${built.reason}.`);
  }
  throw new AppError(
    'temporal.no_server',
    'There is no Temporal server. Choices: TEMPORAL_ADDRESS of one that runs; TEMPORAL_CLI_PATH or `temporal` on PATH (https://docs.temporal.io/cli); a network for the download; Go, to build it.',
  );
}

export interface FinderOptions {
  /** Instead of the environment's PATH. */
  readonly searchPath?: string;
  /** Gives up waiting, a download or a build; what they had started is ended. */
  readonly signal?: AbortSignal;
}

/**
 * Temporal's command line, from the first source that works, each failure said in one line (spec 50 "Setting up"). What the
 * user names is used or is an error; only the others fall through. Throws temporal.no_server, and the signal's reason. (TEMPORAL_ADDRESS comes before
 * all this: with it nothing is looked for.)
 */
export async function findTemporal(
  config: Pick<Config, 'temporalCliPath' | 'cacheDir'>,
  say: (line: string) => void,
  { searchPath, signal }: FinderOptions = {},
): Promise<FoundTemporal> {
  if (config.temporalCliPath !== undefined) return named(config.temporalCliPath);
  const file = onPath(searchPath);
  const check = file === undefined ? undefined : await checkTemporal(file);
  if (file !== undefined && check?.ok === true) return { file, source: 'PATH' };
  say(
    file === undefined
      ? 'Temporal server: there is no `temporal` on PATH.'
      : `Temporal server: ${file} on PATH cannot be used: ${check?.ok === false ? check.reason : ''}.`,
  );
  const cached = await useCache(config.cacheDir, say);
  if (cached !== undefined) return { file: cached, source: 'cache' };
  say('Temporal server: there is none in the cache.');
  return withCacheLock(config.cacheDir, say, () => fetched(config.cacheDir, say, signal), signal);
}
