import type { EpisodeRef } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { patchRow } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** No scene heading, so no place. */
const PLAIN = 'Mara sets a jar of plums on the table. She counts them twice.\n\nTomas comes in and eats one.\n';

/** A need that is only going to be set aside counts as not applicable for the steps after it (spec 20 "One judge"). */
let database: TestDatabase;
let studio: Studio;
/** Reviewed, and nothing drawn yet; without places, so floor_plan_render and background_render have nothing to do. */
let reviewed: EpisodeRef;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
  reviewed = await studio.episode(PLAIN);
  const before = [
    'world_guide',
    'shot_selection',
    'entity_t2i',
    'scene_detail',
    'shot_dependency_t2i',
    't2i_review',
  ] as const;
  expect((await runStudio(studio, reviewed, { steps: [...before] })).ends).toMatchObject({ t2i_review: 'completed' });
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

it('run-all is not refused where a need has no row yet and will not apply; the pictures are drawn as planned', async () => {
  const episode = await copyEpisode(database.db, reviewed);
  const { steps } = await plan(studio.deps, episode);
  const pictures = steps.find((step) => step.stepId === 'scene_image_pipeline')!;
  expect(pictures).toMatchObject({ action: 'rerun_self', estimated: false });
  studio.soldSince();
  expect((await runStudio(studio, episode)).ends).toMatchObject({
    floor_plan_render: 'not_applicable',
    background_render: 'not_applicable',
    scene_image_pipeline: 'completed',
  });
  expect(studio.soldSince()).toEqual({
    scene_image_pipeline: expect.arrayContaining(pictures.items.map((item) => item.itemId)) as string[],
  });
});

it('nor where the row of such a need is stale', async () => {
  const episode = await copyEpisode(database.db, reviewed);
  await runStudio(studio, episode);
  await patchRow(database.db, episode, 'floor_plan_render', { status: 'stale' });
  await patchRow(database.db, episode, 'background_render', { status: 'stale' });
  await patchRow(database.db, episode, 'scene_image_pipeline', { status: 'failed' });
  const run = await runStudio(studio, episode);
  expect(run.opened.outcome).toBe('opened');
  expect(run.ran).toEqual(['scene_image_pipeline']);
});
