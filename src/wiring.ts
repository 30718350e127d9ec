import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EpisodeClient } from './client';
import { sinceBootMs } from './clock';
import type { Config } from './config';
import { createAiClient, type AiClient } from './contexts/ai-client';
import { openDatabase, type OpenDatabase } from './db/pool';
import type { ProcessIdentity } from './domain/identity';
import { AppError } from './domain/errors';
import { Registry } from './execution/registry';
import type { JudgingDependencies } from './execution/dependencies';
import { createArtifactProbe } from './images/artifact-probe';
import { failAttemptWith } from './temporal/fail-attempt';
import { cancel } from './operations/cancel';
import type { Operations, TemporalUi } from './operations/contract';
import { Asking } from './operations/contexts/asking';
import type { ContextOperations } from './operations/contexts/contract';
import { openContexts } from './operations/contexts/open';
import type { OperationDependencies } from './operations/dependencies';
import { noteAttach, openRunOf, waitForRun } from './operations/follow-run';
import { readLocks } from './operations/locks';
import { plan } from './operations/plan';
import { applyProjectDefaults } from './operations/project-defaults';
import { putEpisode } from './operations/put-episode';
import { readiness } from './operations/readiness';
import { release } from './operations/release';
import type { RescanOperations } from './operations/rescan/contract';
import { openRescan } from './operations/rescan/open';
import { restoreSnapshot } from './operations/restore-snapshot';
import { startRun } from './operations/start-run';
import { toggleShot } from './operations/toggle-shot';
import { connectTemporal, temporalNamespace, type TemporalConnection } from './temporal/connection';
import { RescanClient } from './temporal/rescan-client';
import { createCommandLog } from './observability/command-log';
import { createLogger, type Logger } from './observability/logger';
import { STEPS } from './pipeline/manifest';
import type { ProjectConfig } from './pipeline/project-config';
import { createProcessIdentity } from './process-identity';
import { createHttpProvider } from './providers/http/provider';
import { createOfflineProvider } from './providers/offline/provider';
import type { Provider } from './providers/port';
import { createBuyer, type Buyer } from './purchases/buyer';
import { createArtifactStore, type ArtifactStore } from './store/artifacts/store';

/** Config to dependencies: the one place where the parts of a process are put together. */

export interface ProcessParts extends JudgingDependencies {
  readonly config: Config;
  readonly artifactStore: ArtifactStore;
  close(): Promise<void>;
}

/** What every process has: identity, database, artifacts, an empty registry. */
export function openProcess(config: Config, databaseUrl: string, log: Logger): ProcessParts {
  const identity: ProcessIdentity = createProcessIdentity(config.hostName, config.hostId);
  const database: OpenDatabase = openDatabase(databaseUrl, config.databasePoolSize, (error) =>
    log.warn({ reason: error.message }, 'a database connection was dropped; another will take its place'),
  );
  const artifactStore = createArtifactStore(config.artifactDir);
  return {
    config,
    db: database.db,
    identity,
    times: config.times,
    registry: new Registry(),
    steps: STEPS,
    artifacts: createArtifactProbe(artifactStore),
    artifactStore,
    log,
    close: () => database.close(),
  };
}

/** Before a process decides anything: the defaults of callsheet.config.json, where there is one. Throws config.*, db.*. */
export function takeDefaults({ db }: Pick<ProcessParts, 'db'>): Promise<void> {
  return applyProjectDefaults(db);
}

/** The one way to a provider, for a worker. */
export function openBuyer(parts: ProcessParts, graceOver: AbortSignal, onSent?: () => void): Buyer {
  return createBuyer({
    db: parts.db,
    identity: parts.identity,
    artifacts: parts.artifactStore,
    providerFor: providersOf(parts.config, parts.log),
    callDeadlineSeconds: parts.config.callDeadlineSeconds,
    log: parts.log,
    random: Math.random,
    monotonicMs: () => performance.now(),
    sinceBootMs,
    sleep: (ms) => delay(ms),
    graceOver,
    ...(onSent ? { onSent } : {}),
  });
}

/** The AI service, as this process reaches it. */
export function openAiClient(config: Config): AiClient {
  return createAiClient(config.ai);
}

export function newId(): string {
  return randomUUID();
}

/** Providers by name; made once, so that limits and the till are shared by all steps of the process. */
function providersOf(config: Config, log: Logger): (name: string, project: ProjectConfig) => Provider {
  const offline = createOfflineProvider({ delayMs: config.offline.delayMs, till: config.offline.till, priceUsd: 0 });
  const { httpProvider } = config;
  const overHttp =
    httpProvider.url === undefined
      ? null
      : createHttpProvider({ ...httpProvider, url: httpProvider.url, nowMs: Date.now });
  return (name, project) => {
    if (name === 'offline') return offline.withPrice(project['offline.priceUsd']);
    if (name === 'http' && overHttp) return overHttp;
    log.error({ provider: name }, 'an unknown provider is asked for');
    throw new AppError(
      'config.invalid',
      name === 'http'
        ? 'Provider "http" needs CALLSHEET_HTTP_PROVIDER_URL.'
        : `There is no provider "${name}"; there are: offline, http.`,
    );
  };
}

/** What `openOperations` needs of a door. */
export interface OperationOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  /** Absent: without Temporal, for commands that only read or release. */
  readonly temporalAddress?: string;
  readonly temporalUiUrl?: string;
  /** The Temporal of a stack that this process knows; where absent, the configuration says it. */
  readonly temporalIsEmbedded?: boolean;
  readonly role: string;
  /** A process that stays (the API): the log goes to standard error, and defaults are taken where they are needed. */
  readonly stays?: boolean;
}

/** What a door holds open. */
export interface OpenedOperations extends Operations {
  readonly db: ProcessParts['db'];
  readonly log: Logger;
  readonly artifacts: ArtifactStore;
  readonly temporalUi: TemporalUi | undefined;
  readonly contexts: ContextOperations;
  readonly rescan: RescanOperations;
  readiness(): ReturnType<typeof readiness>;
  close(): Promise<void>;
}

/**
 * The operations that every door calls, over a database and, where there is one, Temporal (spec 00 "API, CLI, console").
 * Temporal is connected when it is first needed, so that reading, releasing and the cancel itself work without it.
 */
export async function openOperations(options: OperationOptions): Promise<OpenedOperations> {
  const { config, role, stays = false } = options;
  const log = stays
    ? createLogger({ level: config.logLevel, role })
    : createCommandLog({ level: config.logLevel, role, folder: path.join(config.home, 'logs') });
  const parts = openProcess(config, options.databaseUrl, log);
  if (!stays) await takeDefaultsOrClose(parts);
  const plain = options.temporalIsEmbedded ?? config.temporalIsEmbedded;
  const connection =
    options.temporalAddress === undefined
      ? null
      : await connectTemporal(options.temporalAddress, { lazy: true, plain });
  const temporalUi = temporalUiOf(options.temporalUiUrl, () => connection?.namespace ?? temporalNamespace({ plain }));
  const providerFor = providersOf(config, parts.log);
  const deps: OperationDependencies = {
    ...parts,
    role,
    temporal: connection && {
      client: new EpisodeClient(connection.client),
      tell: failAttemptWith(connection.client, parts.log),
    },
    temporalUi,
    newId,
    sleep: (ms) => delay(ms),
    estimateUsd: (request, project) => providerFor(request.provider, project).estimateUsd(request),
    limitsOf: (provider, project) => providerFor(provider, project).limits,
  };
  const { contexts, rescan, settled } = openContextOperations(config, parts, connection, temporalUi);
  return {
    db: parts.db,
    log: parts.log,
    artifacts: parts.artifactStore,
    temporalUi,
    contexts,
    rescan,
    readiness: () => readiness(deps),
    putEpisode: (input) => putEpisode(deps, input),
    toggleShot: (input) => toggleShot(deps, input),
    restoreSnapshot: (input) => restoreSnapshot(deps, input),
    startRun: (input) => startRun(deps, input),
    openRunOf: (projectId, episodeId) => openRunOf(deps, projectId, episodeId),
    attach: (projectId, episodeId) => noteAttach(deps, projectId, episodeId),
    waitForRun: (ref) => waitForRun(deps, ref),
    cancel: (input) => cancel(deps, input),
    release: (input) => release(deps, input),
    locks: (input) => readLocks(deps, input),
    plan: (input) => plan(deps, input),
    close: async () => {
      await settled();
      await connection?.close();
      await parts.close();
    },
  };
}

/** A file that cannot be read ends the command, and leaves no connection open. */
/** Undefined: nobody asks for links, or the namespace is not known. */
function temporalUiOf(url: string | undefined, namespaceOf: () => string | null): TemporalUi | undefined {
  if (url === undefined) return undefined;
  const namespace = namespaceOf();
  return namespace === null ? undefined : { url, namespace };
}

async function takeDefaultsOrClose(parts: ProcessParts): Promise<void> {
  try {
    await takeDefaults(parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** Contexts and the rescan; `settled`: the requests that this process has begun have ended. */
function openContextOperations(
  config: Config,
  parts: ProcessParts,
  connection: TemporalConnection | null,
  temporalUi: TemporalUi | undefined,
) {
  const asks = { db: parts.db, log: parts.log, client: openAiClient(config), newId };
  const asking = new Asking(asks);
  const loop = connection && new RescanClient(connection.client, config.deployment);
  return {
    contexts: openContexts(asks, asking),
    rescan: openRescan({ ...asks, ...config, asking, loop, temporalUi, sleep: (ms) => delay(ms) }),
    settled: () => asking.settled(),
  };
}
