import path from 'node:path';
import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { AppError } from '../domain/errors';
import { checkId } from '../domain/ids';
import { STEP_IDS } from '../domain/steps';
import { makeRowStale } from '../ledger/make-row-stale';
import { sha256 } from '../hash';
import { lockRowsInOrder } from '../ledger/lock-rows';
import { decodeScreenplay } from '../pipeline/screenplay/decode';
import { parseScreenplay } from '../pipeline/screenplay/parse';
import { openRunsOf } from '../runs/open-runs';
import { audit } from '../store/audit';
import { lockEpisode } from '../store/episodes';
import { markStale } from '../store/stale-marks';
import type { EpisodePut, PutEpisode } from './contract';
import type { OperationDependencies } from './dependencies';

/**
 * Creates an episode or replaces its screenplay (spec 50 `PUT /`). A changed one makes every step stale, in the same
 * transaction; an episode that is running keeps its own. The same text changes nothing. Throws screenplay.*, id.invalid,
 * run.already_running.
 */
export async function putEpisode(deps: Pick<OperationDependencies, 'db'>, input: PutEpisode): Promise<EpisodePut> {
  checkId('project', input.projectId);
  checkId('episode', input.episodeId);
  const screenplay = decodeScreenplay(input.bytes);
  const title = parseScreenplay(screenplay, path.parse(input.fileName).name).title;
  const hash = sha256(screenplay);
  return shortTransaction(deps.db, 'Keeping the screenplay', async (tx) => {
    await tx
      .insertInto('episode')
      .values({
        project_id: input.projectId,
        episode_id: input.episodeId,
        title,
        screenplay,
        screenplay_version: 0,
        screenplay_hash: '',
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const episode = (await lockEpisode(tx, input.projectId, input.episodeId))!;
    if (episode.screenplay_hash === hash)
      return { created: false, changed: false, screenplayVersion: episode.screenplay_version, title: episode.title };
    const created = episode.screenplay_version === 0;
    if (!created) await requireIdle(tx, input);
    const screenplayVersion = episode.screenplay_version + 1;
    await tx
      .updateTable('episode')
      .set({
        title,
        screenplay,
        screenplay_version: screenplayVersion,
        screenplay_hash: hash,
        updated_at: sql`callsheet_now()`,
      })
      .where('project_id', '=', input.projectId)
      .where('episode_id', '=', input.episodeId)
      .execute();
    if (!created) await makeEverythingStale(tx, input);
    const details = { from: episode.screenplay_version, to: screenplayVersion };
    await audit(tx, {
      by: input.by,
      act: 'screenplay',
      projectId: input.projectId,
      episodeId: input.episodeId,
      details,
    });
    return { created, changed: !created, screenplayVersion, title };
  });
}

/** An episode is running while it has an open workflow or a running row (spec 15 "Starting"). */
async function requireIdle(tx: Tx, { projectId, episodeId }: PutEpisode): Promise<void> {
  const [open] = await openRunsOf(tx, projectId, episodeId);
  if (open)
    throw new AppError(
      'run.already_running',
      `The screenplay of ${episodeId} has changed, and run ${open.workflow_run_id} of ${open.workflow_id} is open.`,
    );
  const running = await tx
    .selectFrom('step_run')
    .select('step_id')
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (running)
    throw new AppError(
      'run.already_running',
      `The screenplay of ${episodeId} has changed, and its step ${running.step_id} is running.`,
    );
}

async function makeEverythingStale(tx: Tx, input: PutEpisode): Promise<void> {
  const { projectId, episodeId } = input;
  await lockRowsInOrder(tx, input, new Map(STEP_IDS.map((step) => [step, 'update' as const])));
  for (const stepId of STEP_IDS) {
    const key = { projectId, episodeId, stepId };
    await markStale(tx, key, 'screenplay', null);
    await makeRowStale(tx, key);
  }
}
