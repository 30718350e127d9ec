import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import type { Db } from '../../src/db/pool';
import type { Stop } from '../../src/domain/stop';
import type { Held } from '../../src/ledger/held';
import type { StepCall } from '../../src/pipeline/definition';
import { parseProjectConfig } from '../../src/pipeline/project-config';
import { createHttpProvider } from '../../src/providers/http/provider';
import type { Provider } from '../../src/providers/port';
import { createBuyer, type Buyer } from '../../src/purchases/buyer';
import type { BuyerDeps } from '../../src/purchases/buyer-parts';
import type { BuyContext } from '../../src/purchases/outcome';
import { createArtifactStore, type ArtifactStore } from '../../src/store/artifacts/store';
import { FAKE_PRICES, type FakeProvider } from './fake-provider';

/** Callsheet's seconds pass this many times faster than those of the machine, so that a back-off of minutes is tested in one. */
const SPEED = 100;

export interface Bench {
  readonly artifacts: ArtifactStore;
  readonly artifactDir: string;
  /** Every wait that was asked for, in ms. */
  readonly slept: number[];
  /** A worker of its own: another boot id, and calls of its own. */
  worker(changes?: Partial<BuyerDeps> & { readonly bootId?: string; readonly pid?: number }): Buyer;
  close(): Promise<void>;
}

export function httpProviderOf(fake: Pick<FakeProvider, 'url'>, changes: Partial<Provider> = {}): Provider {
  const provider = createHttpProvider({
    url: fake.url,
    apiKey: undefined,
    honoursIdempotencyKey: false,
    concurrentCalls: 20,
    callsPerMinute: 100_000,
    prices: FAKE_PRICES,
    nowMs: () => Date.now(),
  });
  return { ...provider, ...changes };
}

export async function openBench(db: Db, provider: Provider): Promise<Bench> {
  const artifactDir = await mkdtemp(path.join(os.tmpdir(), 'callsheet-artifacts-'));
  const artifacts = createArtifactStore(artifactDir);
  const slept: number[] = [];
  return {
    artifacts,
    artifactDir,
    slept,
    worker: ({ bootId = 'boot-a', pid = process.pid, ...changes } = {}) =>
      createBuyer({
        db,
        identity: { host: 'studio', pid, bootId, hostId: 'kernel-1' },
        artifacts,
        providerFor: () => provider,
        callDeadlineSeconds: { text: 20, image: 20 },
        sendWindowMs: 5_000 * SPEED,
        log: pino({ level: 'silent' }),
        monotonicMs: () => performance.now() * SPEED,
        random: () => 0.5,
        sleep: (ms) => {
          slept.push(ms);
          return new Promise((resolve) => setTimeout(resolve, ms / SPEED));
        },
        ...changes,
      }),
    close: () => rm(artifactDir, { recursive: true, force: true }),
  };
}

/** A step that is held by the worker with that boot id, in an open run of its own project. */
export async function holdStep(db: Db, bootId = 'boot-a', projectId = `p-${randomUUID().slice(0, 8)}`): Promise<Held> {
  const held: Held = {
    projectId,
    episodeId: 'e1',
    stepId: 'scene_image_pipeline',
    runId: randomUUID(),
    bootId,
    workflowRunId: randomUUID(),
  };
  await openRun(db, held);
  await takeStep(db, held);
  return held;
}

export async function openRun(db: Db, held: Held, budgetUsd: string | null = null): Promise<void> {
  await db
    .insertInto('run')
    .values({
      workflow_run_id: held.workflowRunId!,
      workflow_id: `episode/${held.projectId}/e1`,
      project_id: held.projectId,
      episode_id: held.episodeId,
      request_id: randomUUID(),
      chosen: '[]',
      force: '[]',
      items: '{}',
      screenplay_version: 1,
      budget_usd: budgetUsd,
      accepted_at: sql<string>`callsheet_now()`,
      state: 'open',
    })
    .execute();
}

/** The claim's effect on the row, or a steal's. */
export async function takeStep(db: Db, held: Held): Promise<void> {
  const owner = {
    status: 'running',
    run_id: held.runId,
    owner_boot_id: held.bootId,
    workflow_run_id: held.workflowRunId,
  };
  const now = sql<string>`callsheet_now()`;
  const place = { project_id: held.projectId, episode_id: held.episodeId, step_id: held.stepId };
  await db
    .insertInto('step_run')
    .values({ id: randomUUID(), ...place, ...owner, recovery_count: 0, created_at: now, updated_at: now })
    .onConflict((row) => row.columns(['project_id', 'episode_id', 'step_id']).doUpdateSet(owner))
    .execute();
}

/** Another worker steals the step: a new run of it, in the same run of the workflow. */
export async function steal(db: Db, held: Held, bootId: string): Promise<Held> {
  const stolen = { ...held, runId: randomUUID(), bootId };
  await takeStep(db, stolen);
  return stolen;
}

export function contextOf(
  held: Held,
  changes: Partial<BuyContext> & { readonly settings?: Record<string, unknown> } = {},
): BuyContext {
  const { settings = {}, ...rest } = changes;
  return { held, generation: 0, config: parseProjectConfig(settings), safePoint: heldBy(held), ...rest };
}

const heldBy = (_held: Held) => (): Promise<Stop | null> => Promise.resolve(null);

/** Asks the row, as the execution's safe point does. */
export function safePointOf(db: Db, held: Held): () => Promise<Stop | null> {
  return async () => {
    const row = await db
      .selectFrom('step_run')
      .select('run_id')
      .where('project_id', '=', held.projectId)
      .executeTakeFirst();
    return row?.run_id === held.runId ? null : { why: 'ownership_lost' };
  };
}

export function imageCall(item: string, prompt = `a drawing of ${item}`): StepCall {
  return {
    items: [item],
    request: {
      kind: 'image',
      provider: 'http',
      model: 'artist-1',
      task: 'shot',
      promptVersion: '1',
      prompt,
      card: { subject: item },
      style: 'ink',
      width: 64,
      height: 36,
      references: [],
    },
    read: ({ artifact, contentType }) => Promise.resolve({ ok: true, results: { [item]: { artifact, contentType } } }),
  };
}

export function textCall(item: string, accepts: (text: string) => boolean | 'unknown' = () => true): StepCall {
  return {
    items: [item],
    request: {
      kind: 'text',
      provider: 'http',
      model: 'writer-1',
      task: 'scene_detail',
      promptVersion: '1',
      instructions: 'Write.',
      input: { scene: item },
      schema: { type: 'object' },
    },
    read: ({ content }) => {
      const text = Buffer.from(content).toString('utf8');
      const verdict = accepts(text);
      if (verdict === true) return Promise.resolve({ ok: true, results: { [item]: { text } } });
      return Promise.resolve({ ok: false, reason: `not what was asked: ${text}`, unknownItem: verdict === 'unknown' });
    },
  };
}

export function rowsOf(db: Db, held: Held) {
  return db
    .selectFrom('purchase')
    .selectAll()
    .where('project_id', '=', held.projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
