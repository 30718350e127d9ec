import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { makeDatabaseOnceReady } from '../db/first-contact';
import { AppError } from '../domain/errors';
import { freePorts, isPortFree, LOOPBACK } from './free-port';
import { logFileOf, makeHome, type Home } from './home';
import { lastLine, openLog, sizeOfLog, tailOfLog } from './log-file';
import { findPostgresBinaries } from './postgres-binaries';
import { postgresEnvironment, prepareData, SUPERUSER } from './postgres-data';
import { settlePidFile } from './postgres-pid-file';
import { reachableBinaries, requireReachableHome } from './postgres-reach';
import { requirePostgresUser } from './postgres-user';
import { END_POSTGRES } from './process-end';
import { rememberedPorts } from './remembered-ports';
import { describeExit, startedChild, type OnSpawned, type StartedChild } from './started-child';

const DATABASE = 'callsheet';
const RECOVERY_LIMIT_MS = 300_000;
const SAY_AFTER_MS = 5_000;
const ATTEMPTS = 10;

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
  let [port = 0] = await rememberedPorts(home.ports, ['postgres']);
  let portIsKnown = false;

  async function startOnce(): Promise<StartedChild> {
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

  async function start(spawned: OnSpawned): Promise<StartedChild> {
    const before = sizeOfLog(logFile);
    const child = await startOnce();
    spawned(child);
    try {
      await waitUntilReady(child, urlOf(password, port, 'postgres'), say);
      return child;
    } catch (error) {
      await child.end();
      const log = tailOfLog(logFile, before);
      const fatal = log
        .split('\n')
        .filter((line) => /FATAL|PANIC|ERROR/.test(line))
        .map((line) => line.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, ''));
      const reason = (fatal.at(-1) ?? lastLine(log)) || (error instanceof Error ? error.message : String(error));
      const cause = error instanceof Error ? error.message : String(error);
      throw new AppError(
        'stack.start_failed',
        `PostgreSQL did not start: ${cause} (${reason}). Log: ${logFile}`,
        undefined,
        { cause: error },
      );
    }
  }

  return {
    get databaseUrl() {
      return urlOf(password, port, DATABASE);
    },
    logFile,
    async start(spawned = () => undefined) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const child = await start(spawned);
          portIsKnown = true;
          return child;
        } catch (error) {
          if (attempt >= ATTEMPTS) throw error;
          // Server processes of a killed server end within moments; until then its memory is in use.
          if (error instanceof AppError && /shared memory block/.test(error.message)) await delay(500);
          else if (portIsKnown || (await isPortFree(port))) throw error;
          // Another program took the port since it was chosen; nobody knows it yet, so another one does as well.
          else port = (await freePorts(1))[0] ?? port;
        }
      }
    },
  };
}
