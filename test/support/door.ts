import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import pino from 'pino';
import { EpisodeClient } from '../../src/client';
import type { Config } from '../../src/config';
import type { Db } from '../../src/db/pool';
import { Registry } from '../../src/execution/registry';
import { createArtifactProbe } from '../../src/images/artifact-probe';
import { cancel } from '../../src/operations/cancel';
import type {
  CancelAnswer,
  EpisodePut,
  ReleaseAnswer,
  ReleaseRequest,
  StartAnswer,
  StartRequest,
} from '../../src/operations/contract';
import type { OperationDependencies } from '../../src/operations/dependencies';
import { readLocks } from '../../src/operations/locks';
import { putEpisode } from '../../src/operations/put-episode';
import { release } from '../../src/operations/release';
import { startRun } from '../../src/operations/start-run';
import { STEPS } from '../../src/pipeline/manifest';
import { createProcessIdentity } from '../../src/process-identity';
import { createArtifactStore } from '../../src/store/artifacts/store';
import { failAttemptWith } from '../../src/temporal/fail-attempt';
import { FREE_PROVIDER } from './free-provider';

/** The operations that CLI and API call, on a world of a test: another process than the workers, and no worker itself. */
export interface Door {
  put(projectId: string, episodeId: string, screenplay: string): Promise<EpisodePut>;
  start(request: Omit<StartRequest, 'by'>): Promise<StartAnswer>;
  cancel(projectId: string, episodeId: string, step?: string): Promise<CancelAnswer>;
  release(request: Omit<ReleaseRequest, 'by'>): Promise<ReleaseAnswer>;
  locks(projectId: string): ReturnType<typeof readLocks>;
}

/** `config`: what the workers of this world read from their environment; times and artifacts must be the same for all. */
export function openDoor(db: Db, client: Client, config: Config): Door {
  const log = pino({ level: 'silent' });
  const artifacts = createArtifactStore(config.artifactDir);
  const deps: OperationDependencies = {
    db,
    identity: createProcessIdentity(config.hostName, config.hostId),
    times: config.times,
    registry: new Registry(),
    steps: STEPS,
    artifacts: createArtifactProbe(artifacts),
    log,
    role: 'test',
    temporal: { client: new EpisodeClient(client), tell: failAttemptWith(client, log) },
    temporalUi: undefined,
    newId: () => randomUUID(),
    sleep: (ms) => delay(ms),
    ...FREE_PROVIDER,
  };
  const by = 'test';
  return {
    put: (projectId, episodeId, screenplay) =>
      putEpisode(deps, { projectId, episodeId, fileName: `${episodeId}.fountain`, bytes: Buffer.from(screenplay), by }),
    start: (request) => startRun(deps, { ...request, by }),
    cancel: (projectId, episodeId, step) =>
      cancel(deps, { projectId, episodeId, ...(step === undefined ? {} : { step }), by }),
    release: (request) => release(deps, { ...request, by }),
    locks: (projectId) => readLocks(deps, { projectId }),
  };
}
