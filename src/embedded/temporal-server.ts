import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { childEnvironment } from '../config';
import { AppError } from '../domain/errors';
import { SEARCH_ATTRIBUTES } from '../domain/names';
import { freePorts, isPortFree, LOOPBACK } from './free-port';
import { lastLine, openLog, sizeOfLog, tailOfLog } from './log-file';
import { END_TEMPORAL } from './process-end';
import { describeExit, startedChild, type OnSpawned, type StartedChild } from './started-child';

const READY_LIMIT_MS = 60_000;
const PORT_ATTEMPTS = 5;
const NAMESPACE = 'default';

export interface TemporalOptions {
  /** Temporal's command line. */
  readonly executable: string;
  /** Where the server keeps its state; absent: in memory, gone with it. */
  readonly databaseFile?: string;
  readonly logFile: string;
  /** Ports to begin with, API and UI; absent: any free ones. */
  readonly ports?: readonly number[];
}

/** A Temporal server that was prepared; `start` may be called again after it died. */
export interface TemporalService {
  readonly address: string;
  readonly uiUrl: string;
  readonly logFile: string;
  start(spawned?: OnSpawned): Promise<StartedChild>;
}

function argumentsFor({ databaseFile }: TemporalOptions, port: number, uiPort: number): readonly string[] {
  return [
    'server',
    'start-dev',
    ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
    '--ip',
    LOOPBACK,
    '--port',
    String(port),
    '--ui-port',
    String(uiPort),
    '--log-level',
    'warn',
    // The server rounds timers up by a second otherwise: a takeover would wait for that.
    '--dynamic-config-value',
    'history.timerProcessorMaxTimeShift="100ms"',
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

/** Ready means: the namespace answers. The port alone opens earlier. */
async function waitUntilReady(child: StartedChild, address: string): Promise<void> {
  const deadlineMs = performance.now() + READY_LIMIT_MS;
  let problem: unknown;
  while (child.exit === undefined) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: '1 second' });
      try {
        await connection.withDeadline(Date.now() + 2_000, () =>
          connection.workflowService.describeNamespace({ namespace: NAMESPACE }),
        );
        return;
      } finally {
        await connection.close();
      }
    } catch (error) {
      problem = error;
    }
    if (performance.now() > deadlineMs)
      throw new Error(`it was not ready after ${READY_LIMIT_MS / 1000} s`, { cause: problem });
    await delay(40);
  }
  throw new Error(`it ended with ${describeExit(child.exit)}`);
}

/** Chooses free ports for a Temporal server. `start` throws stack.start_failed, naming the log. */
export async function prepareTemporal(options: TemporalOptions): Promise<TemporalService> {
  let [port = 0, uiPort = 0] = options.ports ?? (await freePorts(2));
  let portsAreKnown = false;
  const address = () => `${LOOPBACK}:${port}`;

  async function startOnce(spawned: OnSpawned): Promise<StartedChild> {
    const before = sizeOfLog(options.logFile);
    const log = openLog(options.logFile);
    let child: StartedChild;
    try {
      const program = spawn(options.executable, argumentsFor(options, port, uiPort), {
        env: childEnvironment({
          TEMPORAL_ADDRESS: undefined,
          TEMPORAL_NAMESPACE: undefined,
          TEMPORAL_API_KEY: undefined,
        }),
        detached: true,
        stdio: ['ignore', log, log],
      });
      child = await startedChild('temporal', program, END_TEMPORAL);
      spawned(child);
    } finally {
      closeSync(log);
    }
    try {
      await waitUntilReady(child, address());
      return child;
    } catch (error) {
      await child.end();
      const reason = error instanceof Error ? error.message : String(error);
      const said = lastLine(tailOfLog(options.logFile, before));
      throw new AppError(
        'stack.start_failed',
        `The Temporal server did not start: ${reason} (${said}). Log: ${options.logFile}`,
        undefined,
        { cause: error },
      );
    }
  }

  return {
    get address() {
      return address();
    },
    get uiUrl() {
      return `http://${LOOPBACK}:${uiPort}`;
    },
    logFile: options.logFile,
    async start(spawned = () => undefined) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const child = await startOnce(spawned);
          portsAreKnown = true;
          return child;
        } catch (error) {
          const bothFree = (await isPortFree(port)) && (await isPortFree(uiPort));
          if (attempt >= PORT_ATTEMPTS || portsAreKnown || bothFree) throw error;
          // Another program took a port since it was chosen.
          [port = 0, uiPort = 0] = await freePorts(2);
        }
      }
    },
  };
}
