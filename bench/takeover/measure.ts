import { setTimeout as delay } from 'node:timers/promises';
import type { StepId } from '../../src/domain/steps';
import { configureProject } from '../../test/crash/kit/variant';
import { eventually } from '../../test/support/eventually';
import type { RealWorker } from '../../test/support/real-worker';
import type { World } from '../../test/support/world';

/**
 * The step in which the worker is killed: ten items, four at once, so that some are settled and some in flight. What is left is one
 * round of calls: the next step waits for these, whoever does them.
 */
const KILLED_IN: StepId = 'entity_t2i';
const NEXT_STEP: StepId = 'scene_detail';
/** How long a call of the offline provider takes. */
export const CALL_MS = 50;
/** By then the step beside it has ended, and no workflow task is under way: a kill inside of one is another matter (docs/takeover.md). */
const SETTLED_BEFORE_KILL = 6;

/** Times are read from the rows; looking for them more often would only take the processor from what is measured. */
const LOOK = { everyMs: 40 };

const SCREENPLAY = `Title: The Long Shelf

INT. ARCHIVE - NIGHT

MARA (34), JOON (28), TOMAS (60), EDDA (45) and IVO (19) pass a brass lamp, a ledger and a copper kettle along the shelf.

MARA
Careful with the kettle.

EXT. QUAY - MORNING

Rain. Edda reads the ledger under an umbrella. Ivo holds the lamp.

EDDA
It is all here.

TOMAS
And the key?

JOON
Mara has it.

MARA
Mara had it.
`;

export interface Takeover {
  /** From the new worker's readiness, or the kill where another one lives, in ms. */
  readonly nextItemMs: number;
  readonly nextStepMs: number;
  /** Settled calls that were bought again: none, or the bench fails. */
  readonly boughtAgain: number;
}

export interface TakeoverPlan {
  readonly world: World;
  readonly projectId: string;
  /** Those that live; the one that holds the step when it is in the middle will die. */
  readonly workers: readonly RealWorker[];
  /** Called once the owner is gone, and answers when a new worker is ready; null: another one lives already. */
  readonly successor: (() => Promise<unknown>) | null;
}

/** Kills the owner in the middle of a heartbeating step, and measures until the step goes on, and the workflow after it. */
export async function measureTakeover({ world, projectId, workers, successor }: TakeoverPlan): Promise<Takeover> {
  await world.door.put(projectId, 'e1', SCREENPLAY);
  await configureProject(world.db, projectId, 'offline');
  const { runId } = await world.door.start({ projectId, episodeId: 'e1' });
  const pid = await eventually('the step is in the middle', () => ownerInTheMiddle(world, projectId), { everyMs: 5 });
  const owner = workers.find((worker) => worker.pid === pid);
  if (!owner) throw new Error(`The step is held by process ${pid}, which is none of the workers.`);
  owner.signal('SIGKILL');
  await owner.exited;
  const settled = await settledKeys(world, projectId);
  const killedAt = await clockOf(world);
  if (successor) await successor();
  const fromMs = successor ? Date.now() : Date.parse(killedAt);
  const item = await eventually('the next item is there', () => firstItemAfter(world, projectId, killedAt), LOOK);
  const step = await eventually('the next step has begun', () => beginOf(world, projectId, NEXT_STEP), LOOK);
  await world.client.workflow.getHandle(`episode/${projectId}/e1`, runId ?? undefined).result();
  return {
    nextItemMs: Date.parse(item) - fromMs,
    nextStepMs: Date.parse(step) - fromMs,
    boughtAgain: await boughtAgain(world, projectId, settled),
  };
}

async function ownerInTheMiddle({ db }: World, projectId: string): Promise<number | null> {
  const row = await db
    .selectFrom('step_run')
    .select(['status', 'completed_count', 'owner_pid'])
    .where('project_id', '=', projectId)
    .where('step_id', '=', KILLED_IN)
    .executeTakeFirst();
  if (row && row.status !== 'running') throw new Error(`${KILLED_IN} has ended before the kill.`);
  return (row?.completed_count ?? 0) >= SETTLED_BEFORE_KILL ? row!.owner_pid : null;
}

/** The database's clock, which is this machine's; as text, as the ledger writes it. */
async function clockOf({ db }: World): Promise<string> {
  const { now } = await db
    .selectNoFrom((row) => row.fn<string>('callsheet_now', []).as('now'))
    .executeTakeFirstOrThrow();
  return now;
}

async function firstItemAfter({ db }: World, projectId: string, killedAt: string): Promise<string | undefined> {
  const item = await db
    .selectFrom('item_result')
    .select('created_at')
    .where('project_id', '=', projectId)
    .where('step_id', '=', KILLED_IN)
    .where('created_at', '>', killedAt)
    .orderBy('created_at')
    .executeTakeFirst();
  return item?.created_at;
}

async function beginOf({ db }: World, projectId: string, step: StepId): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('step_run')
    .select('started_at')
    .where('project_id', '=', projectId)
    .where('step_id', '=', step)
    .executeTakeFirst();
  return row?.started_at;
}

async function settledKeys({ db }: World, projectId: string): Promise<readonly string[]> {
  const settled = await db
    .selectFrom('purchase')
    .select('idempotency_key')
    .where('project_id', '=', projectId)
    .where('status', '=', 'settled')
    .execute();
  return settled.map((row) => row.idempotency_key);
}

async function boughtAgain({ db }: World, projectId: string, settled: readonly string[]): Promise<number> {
  const all = await db.selectFrom('purchase').select('idempotency_key').where('project_id', '=', projectId).execute();
  return all.filter((row) => settled.includes(row.idempotency_key)).length - settled.length;
}

/** Lets the machine come to rest between two tries. */
export const rest = (): Promise<void> => delay(200);
