import { planBody } from '../../src/bodies/plan';
import type { EpisodeRef } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, SMALL_PICTURES, type Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { detailOf, patchRow } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** A plan says of a call in doubt what the run will do with it (spec 40 "Plan"). */
let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
let shotId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
  finished = await studio.episode();
  await runStudio(studio, finished);
  shotId = (await detailOf(database.db, finished)).scenes[0]!.t2i_variations[0]!.shot_id;
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

/** An episode whose one picture is missing, because the call for it ended without a definite answer. */
async function inDoubt(purchase: { readonly status: string; readonly cost_usd: string | null }): Promise<EpisodeRef> {
  const episode = await copyEpisode(database.db, finished);
  const unknown = {
    response_ref: null,
    settled_at: null,
    key_honoured: false,
    owner_boot_id: 'gone',
    owner_pid: 7_654_321,
  };
  await database.db
    .updateTable('purchase')
    .set({ ...unknown, ...purchase })
    .where('project_id', '=', episode.projectId)
    .where('item_id', '=', shotId)
    .where('step_id', '=', 'scene_image_pipeline')
    .execute();
  await database.db
    .deleteFrom('item_result')
    .where('project_id', '=', episode.projectId)
    .where('item_id', '=', shotId)
    .where('step_id', '=', 'scene_image_pipeline')
    .execute();
  await patchRow(database.db, episode, 'scene_image_pipeline', { status: 'partial' });
  return episode;
}

const DOUBTFUL = { status: 'in_doubt', cost_usd: null };
const AWAITED = { status: 'sent', cost_usd: null };
const CLOSED = { status: 'closed', cost_usd: null };
const FREE = { status: 'in_doubt', cost_usd: '0' };

it.each([
  ['ask', DOUBTFUL, { calls: 0, costUsd: 0, inDoubt: 1 }],
  ['rebuy', DOUBTFUL, { calls: 1, costUsd: 0.04, inDoubt: 0 }],
  ['ask', AWAITED, { calls: 0, costUsd: 0, inDoubt: 1 }],
  ['rebuy', AWAITED, { calls: 1, costUsd: 0.04, inDoubt: 0 }],
  ['ask', FREE, { calls: 1, costUsd: 0.04, inDoubt: 0 }],
] as const)(
  'with the policy %s and a purchase %j it announces %j, and so it comes',
  async (policy, purchase, announced) => {
    const episode = await inDoubt(purchase);
    await studio.configure(episode.projectId, { ...SMALL_PICTURES, 'inDoubt.image': policy });
    const { steps } = await plan(studio.deps, episode);
    expect(steps.find((step) => step.stepId === 'scene_image_pipeline')).toMatchObject(announced);
    studio.soldSince();
    await runStudio(studio, episode);
    expect(studio.soldSince()).toEqual(announced.calls === 1 ? { scene_image_pipeline: [shotId] } : {});
  },
);

it('says what a closed call may have cost besides, though nothing is in doubt; other steps and episodes are not touched by it', async () => {
  const episode = await inDoubt(CLOSED);
  const closed = await plan(studio.deps, episode);
  expect(planBody.parse(closed)).toEqual(closed);
  expect(closed).toMatchObject({ atRiskUsd: 0.04 });
  expect(closed.steps.filter((step) => step.atRiskUsd > 0)).toMatchObject([
    { stepId: 'scene_image_pipeline', calls: 1, costUsd: 0.04, inDoubt: 0, atRiskUsd: 0.04 },
  ]);
  expect(await plan(studio.deps, finished)).toMatchObject({ atRiskUsd: 0 });
});
