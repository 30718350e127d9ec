import { sql } from 'kysely';
import type { ToggleBody } from '../bodies/toggle';
import type { Db, Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { AppError } from '../domain/errors';
import { checkId } from '../domain/ids';
import { STEP_NEEDS, type StepId } from '../domain/steps';
import { markItemToggled } from '../execution/mark-items';
import type { StepKey } from '../ledger/key';
import { lockRowsInOrder } from '../ledger/lock-rows';
import { shotSelectionSchema, shotsOf } from '../pipeline/shot-selection/schema';
import { audit } from '../store/audit';
import { currentCheckpoints } from '../store/checkpoints';
import { lockEpisode, readShotSwitches } from '../store/episodes';
import type { ToggleShot } from './contract';

/** The one step that has `staleOnShotSelectionChange` (spec 20 "Contract"). */
const DRAWS_SHOTS: StepId = 'scene_image_pipeline';

/**
 * Switches a shot on or off (spec 50 `POST /shots/{shot}/toggle`). Marks that shot in the image step, in the same transaction:
 * switched on it is asked unless kept, switched off it is kept and shown no more. As it was before: nothing is written.
 * Audited. Throws episode.unknown, shot.unknown, step.already_running while the image step runs, id.invalid, db.*.
 */
export async function toggleShot(deps: { readonly db: Db }, input: ToggleShot): Promise<ToggleBody> {
  const { projectId, episodeId, shotId, on } = input;
  checkId('project', projectId);
  checkId('episode', episodeId);
  return shortTransaction(deps.db, 'Switching the shot', async (tx) => {
    if (!(await lockEpisode(tx, projectId, episodeId)))
      throw new AppError('episode.unknown', `There is no episode ${episodeId} in project ${projectId}.`);
    if ((await isOnNow(tx, input)) === on) return { shotId, on, changed: false };
    await switchAndMark(tx, input);
    return { shotId, on, changed: true };
  });
}

/** A person's switch outweighs the selection (spec 00 "Words"). */
async function isOnNow(tx: Tx, { projectId, episodeId, shotId }: ToggleShot): Promise<boolean> {
  const body = (await currentCheckpoints(tx, projectId, episodeId)).get('shot_selection')?.body;
  const selection = shotSelectionSchema.safeParse(body).data;
  const shot = selection && shotsOf(selection).find((one) => one.shot.shot_id === shotId)?.shot;
  if (!shot) {
    const why = selection ? '' : ' Its shots are not selected yet.';
    throw new AppError(
      'shot.unknown',
      `There is no shot ${JSON.stringify(shotId.slice(0, 80))} in episode ${episodeId}.${why}`,
    );
  }
  return (await readShotSwitches(tx, projectId, episodeId)).get(shotId) ?? shot.on;
}

async function switchAndMark(tx: Tx, { projectId, episodeId, shotId, on, by }: ToggleShot): Promise<void> {
  const key: StepKey = { projectId, episodeId, stepId: DRAWS_SHOTS };
  // What it needs is locked, too: a claim shares those rows, so that it has seen the switch, or is seen here.
  const locks = new Map([...STEP_NEEDS[DRAWS_SHOTS], DRAWS_SHOTS].map((step) => [step, 'update' as const]));
  const row = (await lockRowsInOrder(tx, key, locks)).get(DRAWS_SHOTS);
  if (row?.status === 'running')
    throw new AppError('step.already_running', `${DRAWS_SHOTS} is running: ${shotId} stays as it is.`);
  const was = await sql<{ kept: boolean }>`
    SELECT EXISTS (SELECT FROM item_result WHERE project_id = ${projectId} AND episode_id = ${episodeId}
                   AND step_id = ${DRAWS_SHOTS} AND item_id = ${shotId} AND archived_at IS NULL) AS kept`.execute(tx);
  await tx
    .insertInto('shot_switch')
    .values({ project_id: projectId, episode_id: episodeId, shot_id: shotId, is_on: on, by })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'episode_id', 'shot_id'])
        .doUpdateSet({ is_on: on, by, at: sql<string>`callsheet_now()` }),
    )
    .execute();
  await markItemToggled(tx, key, shotId);
  await audit(tx, {
    by,
    act: 'toggle',
    projectId,
    episodeId,
    stepId: DRAWS_SHOTS,
    details: { shotId, on, kept: was.rows[0]?.kept ?? false },
  });
}
