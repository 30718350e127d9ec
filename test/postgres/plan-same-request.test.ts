import { plan } from '../../src/operations/plan';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, SMALL, type Studio } from '../support/studio';
import { detailOf } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** A plan counts what a run buys: the same request of two items once (spec 40). */
let database: TestDatabase;
let studio: Studio;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

it('a scene that is pasted twice is planned as one call, and bought once; every shot of both gets its own result', async () => {
  const again = SMALL.slice(SMALL.indexOf('EXT. GARDEN'));
  const episode = await studio.episode(`${SMALL}\n${again}`);
  await runStudio(studio, episode, { steps: ['world_guide', 'shot_selection', 'entity_t2i'] });
  studio.soldSince();
  const { token, steps } = await plan(studio.deps, { ...episode, steps: ['scene_detail'] });
  expect(steps).toMatchObject([{ stepId: 'scene_detail', estimated: false, calls: 3, costUsd: 0.12, reused: 3 }]);
  await runStudio(studio, episode, { steps: ['scene_detail'], planToken: token });
  expect(studio.soldSince()['scene_detail']).toHaveLength(3);
  const shots = (await detailOf(database.db, episode)).scenes.flatMap((scene) => scene.t2i_variations);
  expect(shots.map((shot) => shot.shot_id)).toEqual(steps[0]!.items.map((item) => item.itemId));
  expect(await plan(studio.deps, { ...episode, steps: ['scene_detail'] })).toMatchObject({ calls: 0 });
});
