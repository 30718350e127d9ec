import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import type { StepTimes } from '../../src/config';
import type { Db } from '../../src/db/pool';
import type { ProcessIdentity } from '../../src/domain/identity';
import type { Stop } from '../../src/domain/stop';
import { meetsNeed } from '../../src/domain/status';
import { STEP_IDS, type StepId } from '../../src/domain/steps';
import { attemptStep, type AttemptRequest } from '../../src/execution/attempt';
import type { AttemptOutcome } from '../../src/execution/attempt-outcome';
import type { ExecutionDependencies } from '../../src/execution/dependencies';
import type { ForceRequest } from '../../src/execution/force';
import { attemptRefresh } from '../../src/execution/refresh';
import { Registry } from '../../src/execution/registry';
import { FakeBuyer } from './fake-buyer';
import type { TestEpisode } from './test-episode';
import { createToy, toySteps, type Toy } from './toy-pipeline';

export const TIMES: StepTimes = {
  stepRunningTimeoutSeconds: 3600,
  leaseSeconds: 90,
  heartbeatSeconds: 30,
  sweepSeconds: 5,
  stallSeconds: 600,
};

/** What an attempt may be told besides its step. */
export interface AttemptChanges {
  readonly force?: ForceRequest;
  readonly attempt?: number;
  readonly workflowRunId?: string;
  readonly workflowId?: string;
  readonly activityId?: string;
  readonly resetFromRunId?: string;
  readonly announcedDeadRunId?: string;
  readonly waitedSeconds?: number;
  readonly editor?: 'park' | 'apply';
  stop?(): Stop | null;
}

/** One worker process as the core sees it: an identity, a registry and a buyer of its own. */
export interface TestWorker {
  readonly deps: ExecutionDependencies;
  readonly identity: ProcessIdentity;
  readonly registry: Registry;
  readonly buyer: FakeBuyer;
  readonly logged: { readonly level: number; readonly msg: string }[];
  /** Whether its own beats have succeeded for long enough. */
  mayAct: boolean;
  attempt(episode: TestEpisode, step: StepId, changes?: AttemptChanges): Promise<AttemptOutcome>;
  refresh(
    episode: TestEpisode,
    step: StepId,
    adoptToken: string | null,
    changes?: AttemptChanges,
  ): Promise<AttemptOutcome>;
}

export interface WorkerOptions {
  readonly toy?: Toy;
  readonly identity?: Partial<ProcessIdentity>;
  readonly deps?: Partial<ExecutionDependencies>;
  readonly times?: Partial<StepTimes>;
}

/** A process of another host by default, so that no pid of this machine decides; its seconds pass fifty times faster. */
export function openTestWorker(db: Db, options: WorkerOptions = {}): TestWorker {
  const identity: ProcessIdentity = {
    host: `host-${randomUUID().slice(0, 8)}`,
    pid: process.pid,
    bootId: randomUUID(),
    hostId: 'kernel-1',
    ...options.identity,
  };
  const registry = new Registry();
  const buyer = new FakeBuyer();
  const logged: TestWorker['logged'] = [];
  const log = pino(
    { level: 'trace' },
    { write: (line) => void logged.push(JSON.parse(line) as { level: number; msg: string }) },
  );
  const deps: ExecutionDependencies = {
    db,
    identity,
    registry,
    buyer,
    log,
    times: { ...TIMES, ...options.times },
    steps: toySteps(options.toy ?? createToy()),
    artifacts: { image: () => Promise.resolve({ state: 'ok', width: 1, height: 1 }) },
    mayActOnHeartbeat: () => worker.mayAct,
    newId: () => randomUUID(),
    sleep: (ms) => delay(ms / 50),
    ...options.deps,
  };
  const worker: TestWorker = {
    deps,
    identity,
    registry,
    buyer,
    logged,
    mayAct: true,
    attempt: (episode, step, changes) => attemptStep(deps, requestOf(episode, step, changes)),
    refresh: (episode, step, adoptToken, changes) =>
      attemptRefresh(deps, { ...requestOf(episode, step, { activityId: `${step}.refresh`, ...changes }), adoptToken }),
  };
  return worker;
}

function requestOf(episode: TestEpisode, step: StepId, changes: AttemptChanges = {}): AttemptRequest {
  return {
    key: episode.key(step),
    activity: {
      workflowId: changes.workflowId ?? episode.workflowId,
      workflowRunId: changes.workflowRunId ?? episode.runId,
      activityId: changes.activityId ?? step,
      taskToken: Buffer.from(`token of ${step}`).toString('base64'),
    },
    resetFromRunId: changes.resetFromRunId ?? null,
    attempt: changes.attempt ?? 1,
    force: changes.force ?? null,
    announcedDeadRunId: changes.announcedDeadRunId ?? null,
    waitedSeconds: changes.waitedSeconds ?? 0,
    editor: changes.editor ?? 'park',
    stopRequested: () => changes.stop?.() ?? null,
    progress: () => undefined,
  };
}

/** Runs every step before `step` to its end. */
export async function runUpTo(worker: TestWorker, episode: TestEpisode, step: StepId): Promise<void> {
  for (const id of STEP_IDS.slice(0, STEP_IDS.indexOf(step))) {
    const outcome = await worker.attempt(episode, id);
    if (outcome.outcome !== 'ended' || !meetsNeed(outcome.status)) throw new Error(`${id}: ${JSON.stringify(outcome)}`);
  }
}
