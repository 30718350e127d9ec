import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createArtifactProbe } from '../../src/images/artifact-probe';
import type { Db } from '../../src/db/pool';
import { Registry } from '../../src/execution/registry';
import type { ExecutionDependencies } from '../../src/execution/dependencies';
import type { EpisodeRef } from '../../src/operations/contract';
import type { OperationDependencies } from '../../src/operations/dependencies';
import { putEpisode } from '../../src/operations/put-episode';
import { STEPS } from '../../src/pipeline/manifest';
import { createBuyer } from '../../src/purchases/buyer';
import { createArtifactStore, type ArtifactStore } from '../../src/store/artifacts/store';
import { createStudioProvider, type StudioProvider } from './studio-provider';

/** Three scenes, three people, a prop or two: a small screenplay in which every step has something to do. */
export const SMALL = `Title: The Jar

INT. KITCHEN - DAY

MARA (30) sets a jar of plums on the table.

MARA
It was full yesterday.

EXT. GARDEN - NIGHT

TOMAS (41) digs under the plum tree. Mara holds the lantern.

TOMAS
Then who ate them?

INT. CELLAR - EVENING

JOON (9) counts empty jars by candle light, and hides a spoon.
`;

/** A worker process as the real core sees it: the real pipeline, buyer, store and ledger, without Temporal. */
export interface Studio extends StudioProvider {
  readonly deps: ExecutionDependencies & OperationDependencies;
  readonly artifacts: ArtifactStore;
  readonly artifactDir: string;
  readonly logged: { readonly level: number; readonly msg: string }[];
  /** A new episode of a project of its own, with small pictures. */
  episode(screenplay?: string): Promise<EpisodeRef>;
  /** Sets a project's stored settings as they are, without any check. */
  configure(projectId: string, settings: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

export const SMALL_PICTURES = { 'image.size': '64x36' };

export async function openStudio(db: Db, priceUsd = 0.04): Promise<Studio> {
  const artifactDir = await mkdtemp(path.join(os.tmpdir(), 'callsheet-studio-'));
  const artifacts = createArtifactStore(artifactDir);
  const books = createStudioProvider(priceUsd);
  const logged: Studio['logged'] = [];
  const log = pino(
    { level: 'info' },
    { write: (line) => void logged.push(JSON.parse(line) as Studio['logged'][number]) },
  );
  const identity = {
    host: `studio-${randomUUID().slice(0, 8)}`,
    pid: process.pid,
    bootId: randomUUID(),
    hostId: 'kernel-1',
  };
  const sleep = (ms: number) => delay(ms / 50);
  const judging = {
    db,
    identity,
    times: {
      stepRunningTimeoutSeconds: 3600,
      leaseSeconds: 90,
      heartbeatSeconds: 30,
      sweepSeconds: 5,
      stallSeconds: 600,
    },
    registry: new Registry(),
    steps: STEPS,
    artifacts: createArtifactProbe(artifacts),
    log,
  };
  const deps: Studio['deps'] = {
    ...judging,
    buyer: createBuyer({
      db,
      identity,
      artifacts,
      providerFor: () => books.provider,
      callDeadlineSeconds: { text: 120, image: 300 },
      log,
      random: () => 0.5,
      monotonicMs: () => performance.now(),
      sleep,
    }),
    mayActOnHeartbeat: () => true,
    newId: () => randomUUID(),
    sleep,
    role: 'test',
    temporal: null,
    temporalUi: undefined,
    estimateUsd: () => priceUsd,
    limitsOf: () => books.provider.limits,
  };
  const configure: Studio['configure'] = async (projectId, settings) => {
    const text = JSON.stringify(settings);
    await db
      .insertInto('project_config')
      .values({ project_id: projectId, settings: text })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ settings: text }))
      .execute();
  };
  return {
    ...books,
    deps,
    artifacts,
    artifactDir,
    logged,
    configure,
    episode: async (screenplay = SMALL) => {
      const episode = { projectId: `p-${randomUUID().slice(0, 12)}`, episodeId: 'e1' };
      await configure(episode.projectId, SMALL_PICTURES);
      await putEpisode(deps, { ...episode, fileName: 'small.fountain', bytes: Buffer.from(screenplay), by: 'test' });
      return episode;
    },
    close: () => rm(artifactDir, { recursive: true, force: true }),
  };
}
