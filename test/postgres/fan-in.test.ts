import type { StepId } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { bodyOf, patchRow, statusesOf } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** A fan-in refuses unless every item is accounted for (spec 20 "Items"). */
let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
  finished = await studio.episode();
  await runStudio(studio, finished);
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

/** Takes the first entry out of a list in the newest checkpoint, as a crash, a bug or a hand would. */
async function pierce(episode: EpisodeRef, step: StepId, list: string): Promise<void> {
  const body = await bodyOf<Record<string, unknown>>(database.db, episode, step);
  const holed =
    step === 'scene_detail'
      ? {
          ...body,
          scenes: (body['scenes'] as { t2i_variations: unknown[] }[]).map((scene, at) =>
            at === 0 ? { ...scene, t2i_variations: scene.t2i_variations.slice(1) } : scene,
          ),
        }
      : { ...body, [list]: (body[list] as unknown[]).slice(1) };
  await database.db
    .updateTable('checkpoint')
    .set({ body: JSON.stringify(holed) })
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', step)
    .execute();
}

it.each([
  ['scene_detail', 'entity_t2i', 'entities'],
  ['shot_dependency_t2i', 'scene_detail', 'scenes'],
  ['floor_plan_render', 'entity_t2i', 'entities'],
  ['background_render', 'floor_plan_render', 'plans'],
  ['scene_image_pipeline', 'background_render', 'backgrounds'],
] as const)(
  '%s alone is refused where %s has a hole: nothing is bought, and every row stays',
  async (step, holed, list) => {
    const episode = await copyEpisode(database.db, finished);
    await pierce(episode, holed, list);
    await patchRow(database.db, episode, step, { status: 'failed' });
    const before = await statusesOf(database.db, episode);
    studio.soldSince();
    for (const force of [undefined, [step]]) {
      const run = await runStudio(studio, episode, { steps: [step], ...(force ? { force } : {}) });
      expect(run.opened).toMatchObject({ outcome: 'blocked', code: 'step.resume_blocked' });
      expect(run.opened.decisions[0]!.reason).toMatch(new RegExp(`The checkpoint of ${holed} accounts neither`));
    }
    expect(studio.soldSince()).toEqual({});
    expect(await statusesOf(database.db, episode)).toEqual(before);
  },
);

it('run-all fills the hole first, from what is kept, and the fan-in goes on: nothing is bought', async () => {
  const episode = await copyEpisode(database.db, finished);
  await pierce(episode, 'background_render', 'backgrounds');
  await patchRow(database.db, episode, 'scene_image_pipeline', { status: 'failed' });
  studio.soldSince();
  const run = await runStudio(studio, episode);
  expect(run.ran).toEqual(['background_render', 'scene_image_pipeline']);
  expect(studio.soldSince()).toEqual({});
  expect((await runStudio(studio, episode)).opened.outcome).toBe('nothing');
});

it('an item that failed holds back what needs the step, and the others are kept', async () => {
  const episode = await studio.episode();
  studio.answer('scene_detail', (request) =>
    JSON.stringify(request).includes('CELLAR') ? { variations: 'none' } : undefined,
  );
  const run = await runStudio(studio, episode);
  studio.answer('scene_detail', null);
  expect(run.ends).toMatchObject({ scene_detail: 'partial' });
  expect(run.ends).not.toHaveProperty('shot_dependency_t2i');
  studio.soldSince();
  const alone = await runStudio(studio, episode, { steps: ['shot_dependency_t2i'] });
  expect(alone.opened).toMatchObject({ outcome: 'blocked', code: 'step.gate_blocked' });
  const mended = await runStudio(studio, episode, { steps: ['scene_detail'] });
  expect(mended.ends).toEqual({ scene_detail: 'completed' });
  expect(studio.soldSince()['scene_detail']).toHaveLength(1);
});
