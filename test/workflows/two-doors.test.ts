import { CLEAN, incomplete } from '../../src/domain/completion';
import { STEP_IDS, type StepId } from '../../src/domain/steps';
import type { EpisodeRef, StartAnswer } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { FREE_PROVIDER } from '../support/free-provider';
import { openStage, quietRuntime, type Stage } from '../support/stage';
import { copyEpisodes } from '../support/studio-copy';
import { openTestTemporal, type TestTemporal } from '../support/temporal';
import { createTestEpisode } from '../support/test-episode';
import { openTestWorker } from '../support/test-worker';
import { createToy } from '../support/toy-pipeline';

/**
 * Two doors, one answer (spec 20): one step by its own workflow, and run-all, meet the same row, checkpoint and request, and must
 * decide, claim and leave the same. Through the real operations, a real Temporal server and a real database.
 */
const STATUSES = [
  'absent',
  'pending',
  'failed',
  'partial',
  'cancelled',
  'stale',
  'completed',
  'not_applicable',
  'running: alive',
  'running: dead',
  'running: unknown',
] as const;
const CHECKPOINTS = [
  'clean',
  'gone',
  'artifact missing',
  'other setting',
  'older schema',
  'newer schema',
  'misshapen',
  'hash differs',
  'verifier crashes',
] as const;
const MODES = ['resume', 'force'] as const;

interface Case {
  readonly step: StepId;
  readonly status: (typeof STATUSES)[number];
  readonly checkpoint: (typeof CHECKPOINTS)[number];
  readonly mode: (typeof MODES)[number];
}

/** Only of a completed step is the checkpoint looked into; of the others: there and right, gone, there and wrong. */
function checkpointsOf(status: Case['status']): readonly Case['checkpoint'][] {
  return status === 'completed' ? CHECKPOINTS : ['clean', 'gone', 'hash differs'];
}

const CASES: readonly Case[] = [
  ...STATUSES.flatMap((status) =>
    checkpointsOf(status).flatMap((checkpoint) =>
      MODES.map((mode) => ({ step: 'scene_detail' as const, status, checkpoint, mode })),
    ),
  ),
  // The one step that may rerun by itself after a schema bump.
  ...(['older schema', 'newer schema'] as const).flatMap((checkpoint) =>
    MODES.map((mode) => ({ step: 'entity_t2i' as const, status: 'completed' as const, checkpoint, mode })),
  ),
];

/** Runs at once; the server and two cores have enough to do. */
const AT_ONCE = 24;

let database: TestDatabase;
let temporal: TestTemporal;
let stage: Stage;
beforeAll(async () => {
  quietRuntime();
  [database, temporal] = await Promise.all([createTestDatabase(), openTestTemporal()]);
});
afterAll(async () => {
  await stage.close();
  await temporal.close();
  await database.drop();
});

/** What a verifier would find in the body that a case has put there. */
const BODIES: Partial<Record<Case['checkpoint'], unknown>> = {
  'artifact missing': { finding: 'artifact_missing' },
  'hash differs': { finding: 'invariant_drift' },
  'verifier crashes': { finding: 'crash' },
  misshapen: { shots: null },
};

function makeToy() {
  const toy = createToy();
  const own = async ({ body }: { readonly body: unknown }) => {
    const { finding, shots } = (body ?? {}) as { finding?: string; shots?: unknown };
    if (finding === 'crash') throw new RangeError('a bug of the verifier');
    if (finding === 'artifact_missing' || finding === 'invariant_drift')
      return incomplete(finding, [`planted: ${finding}`], [{ what: 'planted', where: 'body' }], true);
    return Array.isArray(shots)
      ? CLEAN
      : incomplete('contract_drift', ['shots is no list'], [{ what: 'shape', where: 'shots' }], false);
  };
  toy.verify = { scene_detail: own, entity_t2i: own };
  return toy;
}

async function prepare(episode: EpisodeRef, { step, status, checkpoint }: Case): Promise<void> {
  const { db } = database;
  const row = () => db.updateTable('step_run').where('project_id', '=', episode.projectId).where('step_id', '=', step);
  const stored = () =>
    db.updateTable('checkpoint').where('project_id', '=', episode.projectId).where('step_id', '=', step);
  const old = '2020-01-01T00:00:00.000000Z';
  const running = {
    status: 'running',
    owner_host: 'elsewhere',
    owner_pid: 1,
    owner_boot_id: 'another-boot',
    started_at: old,
  };
  if (status === 'absent')
    await db.deleteFrom('step_run').where('project_id', '=', episode.projectId).where('step_id', '=', step).execute();
  else if (status === 'running: alive')
    await row()
      .set((eb) => ({ ...running, heartbeat_at: eb.fn<string>('callsheet_now', []) }))
      .execute();
  else if (status === 'running: dead')
    await row()
      .set({ ...running, heartbeat_at: old })
      .execute();
  else if (status === 'running: unknown')
    await row()
      .set({ ...running, heartbeat_at: 'last Tuesday' })
      .execute();
  else await row().set({ status }).execute();
  if (checkpoint === 'gone')
    await db.deleteFrom('checkpoint').where('project_id', '=', episode.projectId).where('step_id', '=', step).execute();
  if (checkpoint === 'other setting') await stored().set({ config_hashes: '{"style":"of another style"}' }).execute();
  if (checkpoint === 'older schema') await stored().set({ schema_version: 0 }).execute();
  if (checkpoint === 'newer schema') await stored().set({ schema_version: 9 }).execute();
  const body = BODIES[checkpoint];
  if (body)
    await stored()
      .set({ body: JSON.stringify(body) })
      .execute();
}

/** What a door made of a case, without what is different each time: ids, ages, times. */
async function through(door: 'single step' | 'run-all', episode: EpisodeRef, { step, mode }: Case) {
  const choice = {
    ...(door === 'single step' ? { steps: [step] } : {}),
    ...(mode === 'force' ? { force: [step] } : {}),
  };
  const announced = (await plan(stage.deps, { ...episode, ...choice })).steps.find((one) => one.stepId === step)!;
  const answer = await stage.start({ ...episode, ...choice });
  await stage.closed(answer);
  const decision = answer.decisions.find((one) => one.stepId === step)!;
  const { row, attempts, marks } = await leftBy(episode, step);
  return {
    planned: [announced.action, announced.origin, announced.code],
    decided: [decision.action, decision.origin, decision.code],
    reason: decision.reason.replace(/[\d.]+ s/g, 'N s'),
    refusedWith: outcomeOf(answer, step),
    attempts,
    row,
    marks,
  };
}

/** run-all may have other steps to do; what counts is whether this step was refused. */
function outcomeOf(answer: StartAnswer, step: StepId): string | null {
  return answer.outcome === 'blocked' && answer.decisions.some((one) => one.stepId === step && one.action === 'block')
    ? (answer.code ?? null)
    : null;
}

async function leftBy(episode: EpisodeRef, step: StepId) {
  const { db } = database;
  const row = await db
    .selectFrom('step_run')
    .selectAll()
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', step)
    .executeTakeFirst();
  const attempts = await db
    .selectFrom('step_decision')
    .select(['action', 'origin', 'code', 'run_id'])
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', step)
    .where('made_by', '=', 'attempt')
    .orderBy('id')
    .execute();
  const generations = await db
    .selectFrom('generation')
    .select(['item_id'])
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', step)
    .execute();
  return {
    row: row && {
      status: row.status,
      mine: row.owner_boot_id === stage.deps.identity.bootId,
      recoveries: row.recovery_count,
      error: row.error_message,
    },
    attempts: attempts.map(({ action, origin, code, run_id }) => ({ action, origin, code, claimed: run_id !== null })),
    marks: generations.map((generation) => generation.item_id),
  };
}

async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...all.entries()];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
    }),
  );
  return results;
}

it('one step alone and run-all decide, claim and leave the same for every status, checkpoint and mode', async () => {
  const worker = openTestWorker(database.db, { toy: makeToy() });
  const finished = await createTestEpisode(database.db);
  for (const step of STEP_IDS)
    expect(await worker.attempt(finished, step)).toMatchObject({ outcome: 'ended', status: 'completed' });
  stage = await openStage(
    { ...worker.deps, role: 'test', temporal: null, temporalUi: undefined, ...FREE_PROVIDER },
    temporal,
  );
  const copies = await copyEpisodes(database.db, finished, CASES.length * 2);
  const doors = ['single step', 'run-all'] as const;
  const asked = CASES.flatMap((one, at) =>
    doors.map((door, which) => ({ one, door, episode: copies[at * 2 + which]! })),
  );
  await inTurns(asked, ({ one, episode }) => prepare(episode, one));
  const answers = await inTurns(asked, ({ one, door, episode }) => through(door, episode, one));
  const named = CASES.map((one, at) => ({
    case: `${one.step} · ${one.status} · ${one.checkpoint} · ${one.mode}`,
    alone: answers[at * 2]!,
    all: answers[at * 2 + 1]!,
  }));

  expect(named.map(({ case: name, all }) => ({ name, ...all }))).toEqual(
    named.map(({ case: name, alone }) => ({ name, ...alone })),
  );
  // The plan said it before, and an attempt decides what was announced.
  for (const { alone } of named) expect(alone.decided).toEqual(alone.planned);
  for (const { alone } of named)
    if (alone.attempts.length > 0) expect(alone.attempts[0]).toMatchObject({ action: alone.decided[0], claimed: true });
  // Only a running action is followed by a claim, and a block leaves the row as it was.
  for (const { alone } of named)
    expect(alone.attempts.some((attempt) => attempt.claimed)).toBe(
      ['rerun_self', 'force_explicit', 'stale_running_recovery'].includes(alone.decided[0]!),
    );
  const actions = new Set(named.map(({ alone }) => alone.decided.join(' ')));
  expect(actions.size).toBeGreaterThanOrEqual(10);
}, 240_000);
