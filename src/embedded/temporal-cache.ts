import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { takeLock } from './file-lock';
import { checkTemporal, TEMPORAL_CLI_VERSION } from './temporal-binary';

const POLL_MS = 300;

export function cacheFolder(cacheDir: string): string {
  return path.join(cacheDir, 'temporal', TEMPORAL_CLI_VERSION);
}

export function cachedTemporal(cacheDir: string): string {
  return path.join(cacheFolder(cacheDir), 'temporal');
}

/** The cached server where it runs. A broken one is removed, with one line; undefined where there is none. */
export async function useCache(cacheDir: string, say: (line: string) => void): Promise<string | undefined> {
  const file = cachedTemporal(cacheDir);
  if (!existsSync(file)) return undefined;
  const check = await checkTemporal(file);
  if (check.ok) return file;
  say(`Temporal server: the cached ${file} is broken (${check.reason}); replacing it.`);
  rmSync(file, { force: true });
  return undefined;
}

/** Puts a checked program into the cache under a temporary name, then renames. Answers the reason where it is no good. */
export async function putInCache(
  cacheDir: string,
  program: string,
): Promise<{ ok: true; file: string } | { ok: false; reason: string }> {
  const file = cachedTemporal(cacheDir);
  const temporary = `${file}.${process.pid}.new`;
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    copyFileSync(program, temporary);
    chmodSync(temporary, 0o755);
    const check = await checkTemporal(temporary);
    if (!check.ok) return check;
    renameSync(temporary, file);
    return { ok: true, file };
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** What killed attempts left; only for who holds the lock. */
function removeUnfinished(cacheDir: string): void {
  const folder = cacheFolder(cacheDir);
  for (const name of readdirSync(folder))
    if (/^(download|build)-|^temporal\..*\.new$/.test(name))
      rmSync(path.join(folder, name), { recursive: true, force: true });
}

/** Runs `work` as the only one who fills this cache; waits for another who does, saying so once, until the signal. */
export async function withCacheLock<T>(
  cacheDir: string,
  say: (line: string) => void,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  mkdirSync(cacheFolder(cacheDir), { recursive: true });
  const lockFile = path.join(cacheFolder(cacheDir), 'fill.lock');
  for (let told = false; ; await delay(POLL_MS)) {
    signal?.throwIfAborted();
    const outcome = takeLock(lockFile, 'fill the cache');
    if (outcome.held) {
      try {
        removeUnfinished(cacheDir);
        return await work();
      } finally {
        outcome.lock.release();
      }
    }
    if (!told && outcome.holder)
      say(`Temporal server: process ${outcome.holder.pid} is getting it already; waiting for that.`);
    told = told || outcome.holder !== undefined;
  }
}
