import type { StepId } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import { restoreSnapshot } from '../../src/operations/restore-snapshot';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { bodyOf, detailOf, entitiesOf, marksOf, patchRow } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/**
 * Where a fan-in between has a hole, nobody can tell which items below read a change: then all of them are marked, and those
 * whose request is unchanged cost nothing (spec 20 "Items").
 */
let database: TestDatabase;
let studio: Studio;
/** Finished; its review corrected one shot. */
let finished: EpisodeRef;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, studio, finished, close } = await openFinishedStudio({ corrected: true }));
});
afterAll(() => close());

let episode: EpisodeRef;
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
});

/** Takes the first entry out of a list in the newest checkpoint, as a crash, a bug or a hand would. */
async function pierce(step: StepId, list: string): Promise<void> {
  const body = await bodyOf<Record<string, unknown[]>>(database.db, episode, step);
  await database.db
    .updateTable('checkpoint')
    .set({ body: JSON.stringify({ ...body, [list]: body[list]!.slice(1) }) })
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', step)
    .execute();
}

const placeEntity = async () =>
  (await entitiesOf(database.db, episode)).entities.find((entity) => entity.kind === 'place')!.entity_id;
const allShots = async () =>
  (await detailOf(database.db, episode)).scenes.flatMap((scene) => scene.t2i_variations.map((one) => one.shot_id));
const marked = async (step: StepId) =>
  (await marksOf(database.db, episode)).filter((mark) => mark.startsWith(`${step}:`)).length;

it('forcing items marks every kept item of the steps that cannot be read, and the next run looks at them', async () => {
  const item = await placeEntity();
  await pierce('floor_plan_render', 'plans');
  await runStudio(studio, episode, { steps: ['entity_t2i'], items: { entity_t2i: [item] } });
  expect(await marked('background_render')).toBe(3);
  expect((await runStudio(studio, episode)).ends).toMatchObject({ scene_image_pipeline: 'completed' });
  expect(await marksOf(database.db, episode)).toEqual([]);
});

it('a plan of the same force counts the steps that cannot be read among those that run', async () => {
  const item = await placeEntity();
  await pierce('floor_plan_render', 'plans');
  const { steps } = await plan(studio.deps, { ...episode, items: { entity_t2i: [item] } });
  expect(steps.find((step) => step.stepId === 'background_render')).toMatchObject({ action: 'rerun_self' });
});

it("an editor's change marks every kept picture where a background is missing", async () => {
  await pierce('background_render', 'backgrounds');
  studio.answer('t2i_review', () => ({
    corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: 'corrected again', reason: 'Still wrong.' }],
  }));
  await patchRow(database.db, episode, 't2i_review', { status: 'failed' });
  const run = await runStudio(studio, episode, { steps: ['t2i_review'] });
  studio.answer('t2i_review', null);
  expect(run.ends).toEqual({ t2i_review: 'completed' });
  expect(await marked('scene_image_pipeline')).toBe((await allShots()).length);
});

it('a restore marks every kept picture where a background is missing', async () => {
  await pierce('background_render', 'backgrounds');
  const { stale } = await restoreSnapshot(studio.deps, { ...episode, stepId: 'scene_detail', version: 1, by: 'ada' });
  expect([...(stale['scene_image_pipeline'] ?? [])].sort()).toEqual((await allShots()).sort());
});
