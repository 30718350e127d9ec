import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { childEnvironment } from '../config';
import { AppError } from '../domain/errors';
import { SEARCH_ATTRIBUTES } from '../domain/names';
import { messageOf } from './check';
import { LOOPBACK } from './free-port';
import { lastLine, openLog, sizeOfLog, tailOfLog } from './log-file';
import { END_TEMPORAL } from './process-end';
import { anyPorts, rememberedPorts, type PortName } from './remembered-ports';
import { ServerPorts, type StartAttempt } from './server-ports';
import { describeExit, startedChild, type OnSpawned, type StartedChild } from './started-child';

const READY_LIMIT_MS = 60_000;
/** Ports of the server in the order of its flags; it would choose the two last ones itself, and then never again. */
const PORT_NAMES: readonly PortName[] = ['temporal', 'temporalUi', 'temporalHttp', 'temporalMetrics'];
const PORT_FLAGS = ['--port', '--ui-port', '--http-port', '--metrics-port'] as const;
/** A server that could not have its port ends sooner than that, also on a busy machine. */
const SURELY_ITS_OWN_PORT_AFTER_MS = 5_000;
const NAMESPACE = 'default';

export interface TemporalOptions {
  /** Temporal's command line. */
  readonly executable: string;
  /** Where the server keeps its state; absent: in memory, gone with it. */
  readonly databaseFile?: string;
  readonly logFile: string;
  /** A home's file of ports, to have the same ones again; absent: any free ones. */
  readonly portsFile?: string;
  /** One line for a person. */
  readonly say: (line: string) => void;
}

/** A Temporal server that was prepared; `start` may be called again after it died. */
export interface TemporalService {
  readonly address: string;
  readonly uiUrl: string;
  readonly logFile: string;
  start(spawned?: OnSpawned): Promise<StartedChild>;
}

function argumentsFor({ databaseFile }: TemporalOptions, ports: readonly number[]): readonly string[] {
  return [
    'server',
    'start-dev',
    ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
    '--ip',
    LOOPBACK,
    ...PORT_FLAGS.flatMap((flag, index) => [flag, String(ports[index] ?? 0)]),
    '--log-level',
    'warn',
    // The server rounds timers up by a second otherwise: a takeover would wait for that.
    '--dynamic-config-value',
    'history.timerProcessorMaxTimeShift="100ms"',
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

async function namespaceAnswers(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '1 second' });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace: NAMESPACE }),
    );
  } finally {
    await connection.close();
  }
}

/**
 * Ready means: the namespace answers. The port alone opens earlier, and the server of another stack may have it: ours prints
 * its addresses once it listens, and ends where it cannot.
 */
async function waitUntilReady(child: StartedChild, port: number, said: () => string): Promise<void> {
  const startedMs = performance.now();
  const isOurs = () =>
    new RegExp(`Server:\\s+\\S+:${port}\\b`).test(said()) ||
    performance.now() - startedMs > SURELY_ITS_OWN_PORT_AFTER_MS;
  let problem: unknown;
  while (child.exit === undefined) {
    try {
      if (isOurs()) {
        await namespaceAnswers(`${LOOPBACK}:${port}`);
        return;
      }
    } catch (error) {
      problem = error;
    }
    if (performance.now() - startedMs > READY_LIMIT_MS)
      throw new Error(`it was not ready after ${READY_LIMIT_MS / 1000} s`, { cause: problem });
    await delay(40);
  }
  throw new Error(`it ended with ${describeExit(child.exit)}`);
}

/** Chooses free ports for a Temporal server. `start` throws stack.start_failed, naming the log. */
export async function prepareTemporal(options: TemporalOptions): Promise<TemporalService> {
  const { logFile, portsFile, say } = options;
  const source = portsFile === undefined ? anyPorts(PORT_NAMES.length) : rememberedPorts(portsFile, PORT_NAMES);
  const ports = await ServerPorts.choose('Temporal server', source, say);

  async function spawnServer(now: readonly number[]): Promise<StartedChild> {
    const log = openLog(logFile);
    try {
      const program = spawn(options.executable, argumentsFor(options, now), {
        env: childEnvironment({
          TEMPORAL_ADDRESS: undefined,
          TEMPORAL_NAMESPACE: undefined,
          TEMPORAL_API_KEY: undefined,
          TEMPORAL_PROFILE: undefined,
          TEMPORAL_CONFIG_FILE: undefined,
        }),
        detached: true,
        stdio: ['ignore', log, log],
      });
      return await startedChild('temporal', program, END_TEMPORAL);
    } finally {
      closeSync(log);
    }
  }

  async function attempt(now: readonly number[], spawned: OnSpawned): Promise<StartAttempt> {
    const before = sizeOfLog(logFile);
    const said = () => tailOfLog(logFile, before);
    const child = await spawnServer(now);
    spawned(child);
    try {
      await waitUntilReady(child, now[0] ?? 0, said);
      return { started: true, child };
    } catch (problem) {
      await child.end();
      const error = new AppError(
        'stack.start_failed',
        `The Temporal server did not start: ${messageOf(problem)} (${lastLine(said())}). Log: ${logFile}`,
        undefined,
        { cause: problem },
      );
      return { started: false, error, said: said() };
    }
  }

  return {
    get address() {
      return `${LOOPBACK}:${ports.all[0] ?? 0}`;
    },
    get uiUrl() {
      return `http://${LOOPBACK}:${ports.all[1] ?? 0}`;
    },
    logFile,
    start: (spawned = () => undefined) => ports.start((now) => attempt(now, spawned)),
  };
}
