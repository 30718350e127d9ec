import type { EpisodeRef } from '../../src/operations/contract';
import { restoreSnapshot } from '../../src/operations/restore-snapshot';
import { toggleShot } from '../../src/operations/toggle-shot';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { detailOf, marksOf, patchRow } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** What a switched-off shot reads may change: its kept picture is marked like any other (spec 20 "Items"). */
let database: TestDatabase;
let studio: Studio;
/** Finished, with a correction of the first shot; that shot is off. */
let finished: EpisodeRef;
let close: () => Promise<void>;
let shotId: string;
beforeAll(async () => {
  ({ database, studio, finished, close } = await openFinishedStudio({ corrected: true }));
  shotId = (await detailOf(database.db, finished)).scenes[0]!.t2i_variations[0]!.shot_id;
  await toggleShot(studio.deps, { ...finished, shotId, on: false, by: 'test' });
  await runStudio(studio, finished);
});
afterAll(() => close());

let episode: EpisodeRef;
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
});

/** Runs while the shot is off, switches it on, and answers the pictures that were bought then. */
async function boughtWhenOn(): Promise<readonly string[]> {
  await runStudio(studio, episode, { steps: ['scene_image_pipeline'] });
  await toggleShot(studio.deps, { ...episode, shotId, on: true, by: 'test' });
  studio.soldSince();
  await runStudio(studio, episode, { steps: ['scene_image_pipeline'] });
  return studio.soldSince()['scene_image_pipeline'] ?? [];
}

it('is not drawn again by switching it off and on while nothing that it reads has changed', async () => {
  expect(await boughtWhenOn()).toEqual([]);
});

it('a restore marks it, and it is drawn from the restored prompt once it is on', async () => {
  await restoreSnapshot(studio.deps, { ...episode, stepId: 'scene_detail', version: 1, by: 'ada' });
  expect(await marksOf(database.db, episode)).toContain(`scene_image_pipeline:${shotId}`);
  expect(await boughtWhenOn()).toContain(shotId);
});

it("an editor's change marks it", async () => {
  studio.answer('t2i_review', () => ({
    corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: 'corrected again', reason: 'Still wrong.' }],
  }));
  await patchRow(database.db, episode, 't2i_review', { status: 'failed' });
  await runStudio(studio, episode, { steps: ['t2i_review'] });
  studio.answer('t2i_review', null);
  expect(await marksOf(database.db, episode)).toContain(`scene_image_pipeline:${shotId}`);
  expect(await boughtWhenOn()).toContain(shotId);
});

it('forcing its prompt marks it', async () => {
  await runStudio(studio, episode, { steps: ['scene_detail'], items: { scene_detail: [shotId] } });
  expect(await marksOf(database.db, episode)).toContain(`scene_image_pipeline:${shotId}`);
});
