import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config';
import { removeChildrenFile, type ChildName } from './children-file';
import { endKilledStack, startRecord } from './clean-start';
import { COMPILED_SOURCES } from './compiled-folder';
import { migrateEmbedded, requireExternalTemporal } from './external';
import type { FileLock } from './file-lock';
import { LOOPBACK } from './free-port';
import { logFileOf, type Home } from './home';
import { startNodeChild } from './node-child';
import { preparePostgres } from './postgres-server';
import type { EndStep } from './process-end';
import type { Stack } from './open-stack';
import { rememberedPorts } from './remembered-ports';
import { removeStackFile, writeStackFile } from './stack-file';
import type { OnSpawned, StartedChild } from './started-child';
import { StoppingOrder } from './stopping-order';
import { supervise } from './supervisor';
import { findTemporal } from './temporal-finder';
import { prepareTemporal } from './temporal-server';

interface OwnStackOptions {
  readonly home: Home;
  readonly lock: FileLock;
  readonly config: Config;
  readonly say: (line: string) => void;
  readonly workerScript: string | undefined;
}

interface Temporal {
  readonly address: string;
  readonly uiUrl: string | undefined;
}

/** Both, or the first failure, and only after the other has settled: so nothing starts behind the back of a stop. */
async function bothSettled<A, B>(left: Promise<A>, right: Promise<B>): Promise<readonly [A, B]> {
  const [first, second] = await Promise.allSettled([left, right]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return [first.value, second.value];
}

/** An embedded server has no TLS, key or other namespace, whatever the user's shell has for another one. */
const PLAIN_TEMPORAL = {
  TEMPORAL_NAMESPACE: undefined,
  TEMPORAL_API_KEY: undefined,
  TEMPORAL_TLS: undefined,
  TEMPORAL_PROFILE: undefined,
  TEMPORAL_CONFIG_FILE: undefined,
};

/** Starts everything that is not named by the user, and owns it (spec 50 "Setting up"). */
export async function startOwnStack({ home, lock, config, say, workerScript }: OwnStackOptions): Promise<Stack> {
  const parts = new StoppingOrder();
  try {
    await endKilledStack(home, say);
    const { record, keeper } = await startRecord(home, say);
    parts.add(keeper);
    const start = async (name: ChildName, begin: (spawned: OnSpawned) => Promise<StartedChild>) =>
      parts.add(await supervise({ name, start: begin, record, say }));

    const [databaseUrl, temporal] = await bothSettled(
      startDatabase(home, config, say, start),
      startTemporal(home, config, say, start),
    );
    const environment = {
      ...(temporal.uiUrl === undefined ? {} : PLAIN_TEMPORAL),
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_UI_URL: temporal.uiUrl ?? config.temporalUiUrl,
      CALLSHEET_HOME: home.folder,
      ARTIFACT_DIR: config.artifactDir,
    };
    const apiUrl = await startApi(home, environment, start);
    const script = workerScript ?? path.join(COMPILED_SOURCES, 'worker.js');
    await start('worker', (spawned) =>
      startNodeChild(
        { name: 'worker', script, environment, logFile: logFileOf(home, 'worker'), endSteps: endWorker(config) },
        spawned,
      ),
    );
    writeStackFile(home.stack, {
      pid: process.pid,
      databaseUrl,
      temporalAddress: temporal.address,
      temporalUiUrl: temporal.uiUrl ?? null,
      apiUrl: apiUrl ?? null,
    });
    return ownedStack({ databaseUrl, temporal, apiUrl, parts, home, lock });
  } catch (error) {
    await parts.stop(true);
    removeChildrenFile(home.children);
    lock.release();
    throw error;
  }
}

type Start = (name: ChildName, begin: (spawned: OnSpawned) => Promise<StartedChild>) => Promise<unknown>;

async function startDatabase(home: Home, config: Config, say: (line: string) => void, start: Start): Promise<string> {
  // A named one was looked at before.
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const postgres = await preparePostgres(home, say);
  await start('postgres', (spawned) => postgres.start(spawned));
  await migrateEmbedded(postgres.databaseUrl);
  return postgres.databaseUrl;
}

async function startTemporal(home: Home, config: Config, say: (line: string) => void, start: Start): Promise<Temporal> {
  if (config.temporalAddress !== undefined) {
    await requireExternalTemporal(config.temporalAddress);
    return { address: config.temporalAddress, uiUrl: undefined };
  }
  const { file } = await findTemporal(config, say);
  const temporal = await prepareTemporal({
    executable: file,
    databaseFile: home.temporalDatabase,
    ports: await rememberedPorts(home.ports, ['temporal', 'temporalUi']),
    logFile: logFileOf(home, 'temporal'),
  });
  await start('temporal', (spawned) => temporal.start(spawned));
  return { address: temporal.address, uiUrl: temporal.uiUrl };
}

/** The API, where this release has one. It is told its port by CALLSHEET_API_PORT. */
async function startApi(
  home: Home,
  environment: Record<string, string | undefined>,
  start: Start,
): Promise<string | undefined> {
  const script = path.join(COMPILED_SOURCES, 'http', 'main.js');
  if (!existsSync(script)) return undefined;
  const [port = 0] = await rememberedPorts(home.ports, ['api']);
  const endSteps: readonly EndStep[] = [
    { signal: 'SIGTERM', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ];
  await start('api', (spawned) =>
    startNodeChild(
      {
        name: 'api',
        script,
        environment: { ...environment, CALLSHEET_API_PORT: String(port) },
        logFile: logFileOf(home, 'api'),
        endSteps,
      },
      spawned,
    ),
  );
  return `http://${LOOPBACK}:${port}`;
}

/** A paid call in flight may end: the worker has its whole grace, and some time to say goodbye (cases C43). */
function endWorker(config: Config): readonly EndStep[] {
  return [
    { signal: 'SIGTERM', waitMs: (config.shutdownGraceSeconds + 10) * 1000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ];
}

interface OwnedParts {
  readonly databaseUrl: string;
  readonly temporal: Temporal;
  readonly apiUrl: string | undefined;
  readonly parts: StoppingOrder;
  readonly home: Home;
  readonly lock: FileLock;
}

function ownedStack({ databaseUrl, temporal, apiUrl, parts, home, lock }: OwnedParts): Stack {
  return {
    databaseUrl,
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    apiUrl,
    joined: false,
    onEnd: () => undefined,
    async stop({ atOnce = false } = {}) {
      // First, so that nobody joins what ends.
      removeStackFile(home.stack);
      if (!(await parts.stop(atOnce))) return;
      removeChildrenFile(home.children);
      lock.release();
    },
  };
}
