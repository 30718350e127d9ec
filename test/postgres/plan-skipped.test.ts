import { STEP_IDS } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';

/** A plan names every item of a fan-out step, also of one that is not run (spec 40 "Plan"). */
let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
let close: () => Promise<void>;
let shots: readonly string[];
beforeAll(async () => {
  ({ database, studio, finished, shots, close } = await openFinishedStudio());
});
afterAll(() => close());

let episode: EpisodeRef;
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
});

describe('a skipped step', () => {
  it('lists every item that it keeps, in the order of its calls, and reuses as many as it says', async () => {
    const { steps, calls, costUsd } = await plan(studio.deps, episode);
    expect(steps.map((step) => [step.action, step.items.length > 0])).toEqual(STEP_IDS.map(() => ['skip', true]));
    const items = steps.flatMap((step) => step.items);
    expect(items.map((item) => item.action)).toEqual(items.map(() => 'reuse'));
    expect(steps.map((step) => step.reused)).toEqual(steps.map((step) => step.items.length));
    const pictures = steps.find((step) => step.stepId === 'scene_image_pipeline')!;
    expect(pictures.items.map((item) => item.itemId)).toEqual(shots);
    expect({ calls, costUsd }).toEqual({ calls: 0, costUsd: 0 });
  });

  it('names what stays failed, and nothing of an item that is no more the step’s', async () => {
    const [first, second] = shots;
    const change = (item: string, columns: { status?: string; error_code?: string; item_id?: string }) =>
      database.db
        .updateTable('item_result')
        .set(columns)
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', 'scene_image_pipeline')
        .where('item_id', '=', item)
        .execute();
    await change(first!, { status: 'failed', error_code: 'provider.refused' });
    await change(second!, { item_id: 'another' });
    const pictures = (await plan(studio.deps, episode)).steps.find((step) => step.stepId === 'scene_image_pipeline')!;
    expect(pictures).toMatchObject({ action: 'skip', reused: shots.length - 2 });
    expect(pictures.items[0]).toEqual({
      itemId: first,
      action: 'keep_failed',
      reason: 'it failed: provider.refused',
    });
    expect(pictures.items.map((item) => item.itemId)).toEqual(shots.filter((shot) => shot !== second));
  });
});
