import type { Purchase, StepRun } from '../../src/db/tables';
import type { StepId } from '../../src/domain/steps';
import { setSetting } from '../../src/operations/set-setting';
import { eventually } from './eventually';
import type { World } from './world';

/** Two scenes that give every step something to do, and little of it. */
export const TWO_SCENES = `Title: The Ferry Lamp

INT. BOATHOUSE - MORNING

MARA (34) lifts a brass lamp from the bench. Oil drips on the floor.

MARA
It burned all night.

EXT. QUAY - NIGHT

Rain. Mara and TOMAS (60) carry the lamp to the ferry.

TOMAS
Then who lit it?
`;

/** An episode of a project of its own in a world, and what the ledger says of it. */
export interface WorldRun {
  readonly projectId: string;
  readonly runId: string | null;
  row(step: StepId): Promise<StepRun | undefined>;
  purchases(step?: StepId): Promise<Purchase[]>;
  /** How the last attempt of the step's activity failed, as Temporal knows it; null: it did not, or is still under way. */
  failureOf(step: StepId): Promise<string | null>;
  /** Resolves when the step's row fits. */
  until(what: string, step: StepId, fits: (row: StepRun) => boolean): Promise<StepRun>;
  /** Resolves when the workflow has closed; answers the run's state in the ledger. */
  ended(withinMs?: number): Promise<string>;
}

/** Puts the episode, with small pictures, and starts it; a worker must be there to answer. */
export async function startRunIn(
  world: World,
  projectId: string,
  options: { readonly steps?: readonly StepId[]; readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<WorldRun> {
  const { db, door } = world;
  await door.put(projectId, 'e1', TWO_SCENES);
  const settings = { 'image.size': '96x54', 'offline.priceUsd': '0.01', ...options.settings };
  for (const [key, value] of Object.entries(settings)) await setSetting(db, { projectId, key, value, by: 'test' });
  const answer = await door.start({ projectId, episodeId: 'e1', ...(options.steps ? { steps: options.steps } : {}) });
  const row = (step: StepId) =>
    db
      .selectFrom('step_run')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('step_id', '=', step)
      .executeTakeFirst();
  return {
    projectId,
    runId: answer.runId,
    row,
    purchases: (step) => {
      const all = db.selectFrom('purchase').selectAll().where('project_id', '=', projectId);
      return (step ? all.where('step_id', '=', step) : all).orderBy('sent_at').execute();
    },
    failureOf: async (step) => {
      const { raw } = await world.client.workflow.getHandle(answer.workflowId, answer.runId ?? undefined).describe();
      const pending = (raw.pendingActivities ?? []).find(({ activityId }) => activityId === step);
      return pending?.lastFailure?.applicationFailureInfo?.type ?? null;
    },
    until: (what, step, fits) =>
      eventually(what, async () => {
        const found = await row(step);
        return found && fits(found) ? found : null;
      }),
    ended: async (withinMs) => {
      const handle = world.client.workflow.getHandle(answer.workflowId, answer.runId ?? undefined);
      await eventually('the run has ended', async () => (await handle.describe()).status.name !== 'RUNNING', {
        everyMs: 100,
        ...(withinMs === undefined ? {} : { withinMs }),
      });
      const run = await db
        .selectFrom('run')
        .select('state')
        .where('project_id', '=', projectId)
        .orderBy('opened_at', 'desc')
        .executeTakeFirst();
      return run?.state ?? 'absent';
    },
  };
}
