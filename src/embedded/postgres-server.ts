import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { makeDatabaseOnceReady } from '../db/first-contact';
import { AppError } from '../domain/errors';
import { messageOf } from './check';
import { LOOPBACK } from './free-port';
import { logFileOf, makeHome, type Home } from './home';
import { lastLine, openLog, sizeOfLog, tailOfLog } from './log-file';
import { findPostgresBinaries } from './postgres-binaries';
import { postgresEnvironment, prepareData, SUPERUSER } from './postgres-data';
import { settlePidFile } from './postgres-pid-file';
import { reachableBinaries, requireReachableHome } from './postgres-reach';
import { requirePostgresUser } from './postgres-user';
import { END_POSTGRES } from './process-end';
import { rememberedPorts } from './remembered-ports';
import { ServerPorts, type StartAttempt } from './server-ports';
import { describeExit, startedChild, type OnSpawned, type StartedChild } from './started-child';

const DATABASE = 'callsheet';
const RECOVERY_LIMIT_MS = 300_000;
const SAY_AFTER_MS = 5_000;
const MEMORY_ATTEMPTS = 20;
const MEMORY_WAIT_MS = 500;

/** A PostgreSQL server that was prepared; `start` may be called again after it died. */
export interface PostgresService {
  readonly databaseUrl: string;
  readonly logFile: string;
  start(spawned?: OnSpawned): Promise<StartedChild>;
}

function flags(folder: string, port: number): readonly string[] {
  const settings: Record<string, string> = {
    listen_addresses: LOOPBACK,
    // TCP with a password only: a socket file would have a path too long in deep folders.
    unix_socket_directories: '',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '200',
    logging_collector: 'off',
    log_timezone: 'UTC',
    TimeZone: 'UTC',
    // Containers often have 64 MB of shared memory; nothing here needs parallel queries.
    max_parallel_workers_per_gather: '0',
  };
  return [
    '-D',
    folder,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function urlOf(password: string, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${port}/${database}`;
}

async function waitUntilReady(child: StartedChild, url: string, say: (line: string) => void): Promise<void> {
  const startedMs = performance.now();
  let said = false;
  while (child.exit === undefined) {
    if ((await makeDatabaseOnceReady(url, DATABASE)) === 'made') return;
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > RECOVERY_LIMIT_MS) throw new Error(`it was not ready after ${RECOVERY_LIMIT_MS / 1000} s`);
    if (waitedMs > SAY_AFTER_MS && !said) {
      said = true;
      say('PostgreSQL is still starting: after a hard stop it recovers first …');
    }
    await delay(40);
  }
  throw new Error(`it ended with ${describeExit(child.exit)}`);
}

/**
 * Prepares the PostgreSQL server of a home and chooses its port (spec 50 "Setting up", cases C51). Only for who holds the
 * home's lock. Throws stack.home_unusable or stack.start_failed, with the reason and the log's name.
 */
export async function preparePostgres(home: Home, say: (line: string) => void): Promise<PostgresService> {
  const user = requirePostgresUser(say);
  requireReachableHome(home, user);
  makeHome(home);
  const binaries = reachableBinaries(findPostgresBinaries(), home, user);
  const password = await prepareData(home, binaries, user, say);
  const logFile = logFileOf(home, 'postgres');
  const ports = await ServerPorts.choose('PostgreSQL', rememberedPorts(home.ports, ['postgres']), say);

  async function spawnServer(port: number): Promise<StartedChild> {
    if ((await settlePidFile(home.postgres)) === 'pid taken by another program')
      say('postmaster.pid named a process that is not PostgreSQL: a hard stop left it; starting over it.');
    const log = openLog(logFile);
    try {
      const process_ = spawn(binaries.postgres, flags(home.postgres, port), {
        ...user,
        cwd: home.folder,
        env: postgresEnvironment(),
        // A session of its own: Ctrl-C in the terminal reaches only us, who stop things in order.
        detached: true,
        stdio: ['ignore', log, log],
      });
      return await startedChild('postgres', process_, END_POSTGRES);
    } finally {
      closeSync(log);
    }
  }

  async function attempt(port: number, spawned: OnSpawned): Promise<StartAttempt> {
    const before = sizeOfLog(logFile);
    const child = await spawnServer(port);
    spawned(child);
    try {
      await waitUntilReady(child, urlOf(password, port, 'postgres'), say);
      return { started: true, child };
    } catch (error) {
      await child.end();
      const said = tailOfLog(logFile, before);
      return { started: false, error: startError(error, said, logFile), said };
    }
  }

  /** Server processes of a killed server end within moments; until then its memory is in use. */
  async function attemptOnceMemoryIsFree(port: number, spawned: OnSpawned): Promise<StartAttempt> {
    for (let made = 1; ; made += 1) {
      const outcome = await attempt(port, spawned);
      if (outcome.started || made >= MEMORY_ATTEMPTS || !/shared memory block/.test(outcome.said)) return outcome;
      await delay(MEMORY_WAIT_MS);
    }
  }

  return {
    get databaseUrl() {
      return urlOf(password, ports.all[0] ?? 0, DATABASE);
    },
    logFile,
    start: (spawned = () => undefined) => ports.start(([port = 0]) => attemptOnceMemoryIsFree(port, spawned)),
  };
}

function startError(problem: unknown, said: string, logFile: string): AppError {
  const cause = messageOf(problem);
  const fatal = said
    .split('\n')
    .filter((line) => /FATAL|PANIC|ERROR/.test(line))
    .map((line) => line.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, ''));
  const reason = (fatal.at(-1) ?? lastLine(said)) || cause;
  return new AppError(
    'stack.start_failed',
    `PostgreSQL did not start: ${cause} (${reason}). Log: ${logFile}`,
    undefined,
    {
      cause: problem,
    },
  );
}
