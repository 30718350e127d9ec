import { existsSync } from 'node:fs';
import type { Config } from '../config';
import { type Check, messageOf } from './check';
import { requireAnswer, requireExternalDatabase, requireExternalTemporal } from './external';
import { readLock } from './file-lock';
import { homeAt } from './home';
import { findLiveStack } from './live-stack';
import { isAlive } from './process-identity';
import { checkTemporal } from './temporal-binary';
import { cachedTemporal } from './temporal-cache';
import { onPath } from './temporal-finder';
import { goVersion } from './temporal-go-build';

export async function checkGo(): Promise<Check> {
  const version = await goVersion();
  if (version !== undefined) return { name: 'Go', ok: true, detail: version };
  return { name: 'Go', ok: true, detail: 'absent (only needed where no Temporal server is found or downloaded)' };
}

/** Where a start would take Temporal's server from, without getting it (spec 50 "Setting up"). */
export async function checkTemporalProgram(config: Config): Promise<Check> {
  const name = 'Temporal server program';
  if (config.temporalAddress !== undefined) return { name, ok: true, detail: 'not needed: TEMPORAL_ADDRESS is set' };
  if (config.temporalCliPath !== undefined) {
    const check = await checkTemporal(config.temporalCliPath);
    const detail = `TEMPORAL_CLI_PATH=${config.temporalCliPath}`;
    return check.ok
      ? { name, ok: true, detail: `${detail}: ${check.version}` }
      : { name, ok: false, detail: `${detail}: ${check.reason}`, next: 'Correct TEMPORAL_CLI_PATH, or unset it.' };
  }
  const failures: string[] = [];
  for (const [where, file] of [
    ['PATH', onPath()],
    ['cache', cachedTemporal(config.cacheDir)],
  ] as const) {
    if (file === undefined || !existsSync(file)) {
      failures.push(where === 'PATH' ? 'none on PATH' : 'none in the cache');
      continue;
    }
    const check = await checkTemporal(file);
    if (check.ok) return { name, ok: true, detail: `${where}: ${file}: ${check.version}` };
    failures.push(`${file}: ${check.reason}`);
  }
  return {
    name,
    ok: 'warning',
    detail: failures.join('; '),
    next: 'The first start downloads it or builds it with Go. Without a network, set TEMPORAL_CLI_PATH or TEMPORAL_ADDRESS.',
  };
}

export function checkStack(config: Config): Check {
  const home = homeAt(config.home);
  const running = findLiveStack(config.home);
  if (running) return { name: 'stack', ok: true, detail: `runs, process ${running.pid}, kept by ${running.keptBy}` };
  const holder = readLock(home.lock);
  if (!holder) return { name: 'stack', ok: true, detail: `none runs in ${config.home}` };
  if (isAlive(holder))
    return { name: 'stack', ok: true, detail: `process ${holder.pid} is starting, stopping or reading it` };
  return {
    name: 'stack',
    ok: 'warning',
    detail: `process ${holder.pid} was killed and left its lock`,
    next: 'Nothing: the next start cleans up.',
  };
}

/** Whether the named database, or that of a live stack, answers and has the schema. Nothing is started for it. */
export async function checkDatabase(config: Config): Promise<Check> {
  const name = 'database';
  const running = findLiveStack(config.home);
  const url = config.databaseUrl ?? running?.databaseUrl;
  if (url === undefined) return { name, ok: true, detail: 'embedded; it is started with the next command' };
  const which = config.databaseUrl === undefined ? 'the running stack' : 'DATABASE_URL';
  try {
    await requireExternalDatabase(url);
    return { name, ok: true, detail: `${which}: it answers and has the schema` };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: `${which}: ${messageOf(error)}`,
      next:
        error instanceof Error && 'next' in error
          ? String(error.next)
          : 'Check that PostgreSQL runs and that DATABASE_URL is right.',
    };
  }
}

/** Whether the named Temporal server, or that of a live stack, answers. */
export async function checkTemporalServer(config: Config): Promise<Check> {
  const name = 'Temporal server';
  const running = findLiveStack(config.home);
  const address = config.temporalAddress ?? running?.temporalAddress;
  if (address === undefined)
    return { name, ok: true, detail: 'embedded; it is started with the next command that needs it' };
  const which = config.temporalAddress === undefined ? 'the running stack' : 'TEMPORAL_ADDRESS';
  try {
    if (config.temporalAddress === undefined) await requireAnswer(address);
    else await requireExternalTemporal(address);
    return { name, ok: true, detail: `${which}: ${address} answers` };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: `${which}: ${messageOf(error)}`,
      next: 'Check that the server runs and that TEMPORAL_ADDRESS is right.',
    };
  }
}
