import { migrateDatabase } from '../db/migrate';
import type { ChildrenRecord } from './children-file';
import { endKilledStack, startRecord } from './clean-start';
import { requireExternalTemporal } from './external';
import type { FileLock } from './file-lock';
import { logFileOf, type Home } from './home';
import type { Stack } from './open-stack';
import { requireNamedApiPort, startApi, startWorker } from './own-processes';
import type { OwnStackOptions, StartPart } from './own-stack-options';
import { preparePostgres } from './postgres-server';
import { removeStackFile, writeStackFile } from './stack-file';
import { StoppingOrder } from './stopping-order';
import { supervise } from './supervisor';
import { findTemporal } from './temporal-finder';
import { prepareTemporal } from './temporal-server';

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

/**
 * Starts everything that is not named by the user, and owns it (spec 50 "Setting up"). Where the start fails or is given up,
 * what had started is ended before this throws.
 */
export async function startOwnStack(options: OwnStackOptions): Promise<Stack> {
  const { home, lock, config, say, signal } = options;
  const parts = new StoppingOrder();
  let record: ChildrenRecord | undefined;
  try {
    await endKilledStack(home, say);
    await requireNamedApiPort(config);
    const started = await startRecord(home, say, signal);
    record = started.record;
    parts.add(started.keeper);
    const stack = await startParts(options, partStarter(parts, started.record, options));
    writeStackFile(home.stack, {
      pid: process.pid,
      databaseUrl: stack.databaseUrl,
      temporalAddress: stack.temporal.address,
      temporalUiUrl: stack.temporal.uiUrl ?? null,
      apiUrl: stack.apiUrl ?? null,
    });
    return ownedStack({ ...stack, parts, record, home, lock });
  } catch (error) {
    // A start that was given up stops as a stack does: the worker may hold a call in flight already.
    await parts.stop(!signal?.aborted);
    record?.close();
    lock.release();
    throw error;
  }
}

function partStarter(parts: StoppingOrder, record: ChildrenRecord, { say, signal }: OwnStackOptions): StartPart {
  return async (name, start) => parts.add(await supervise({ name, start, record, say, signal }));
}

interface StartedParts {
  readonly databaseUrl: string;
  readonly temporal: Temporal;
  readonly apiUrl: string | undefined;
}

async function startParts(options: OwnStackOptions, start: StartPart): Promise<StartedParts> {
  const { home, config, signal } = options;
  const [databaseUrl, temporal] = await bothSettled(startDatabase(options, start), startTemporal(options, start));
  signal?.throwIfAborted();
  const environment = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    CALLSHEET_TEMPORAL_EMBEDDED: String(temporal.uiUrl !== undefined),
    TEMPORAL_UI_URL: temporal.uiUrl ?? config.temporalUiUrl,
    CALLSHEET_HOME: home.folder,
    ARTIFACT_DIR: config.artifactDir,
  };
  const [apiUrl] = await bothSettled(startApi(options, environment, start), startWorker(options, environment, start));
  signal?.throwIfAborted();
  return { databaseUrl, temporal, apiUrl };
}

async function startDatabase({ home, config, say }: OwnStackOptions, start: StartPart): Promise<string> {
  // A named one was looked at before.
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const postgres = await preparePostgres(home, say);
  await start('postgres', (spawned) => postgres.start(spawned));
  await migrateDatabase(postgres.databaseUrl);
  return postgres.databaseUrl;
}

async function startTemporal({ home, config, say, signal }: OwnStackOptions, start: StartPart): Promise<Temporal> {
  if (config.temporalAddress !== undefined) {
    await requireExternalTemporal(config.temporalAddress);
    return { address: config.temporalAddress, uiUrl: undefined };
  }
  const { file } = await findTemporal(config, say, { signal });
  const temporal = await prepareTemporal({
    executable: file,
    databaseFile: home.temporalDatabase,
    portsFile: home.ports,
    logFile: logFileOf(home, 'temporal'),
    say,
  });
  await start('temporal', (spawned) => temporal.start(spawned));
  return { address: temporal.address, uiUrl: temporal.uiUrl };
}

interface OwnedParts extends StartedParts {
  readonly parts: StoppingOrder;
  readonly record: ChildrenRecord;
  readonly home: Home;
  readonly lock: FileLock;
}

function ownedStack({ databaseUrl, temporal, apiUrl, parts, record, home, lock }: OwnedParts): Stack {
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
      record.close();
      lock.release();
    },
  };
}
