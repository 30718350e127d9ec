import { STEP_IDS } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import type { ProviderRequest, TextRequest } from '../../src/providers/port';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { detailOf, entitiesOf, marksOf, patchRow, statusesOf, versionsOf } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/**
 * The accident (spec 00): an editor changed prompts and not the hashes beside them; the next resume saw drift, forced itself, and
 * bought 63 scene details again.
 */
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

const REVIEWED = ['world_guide', 'shot_selection', 'entity_t2i', 'scene_detail', 'shot_dependency_t2i', 't2i_review'];

/** A review that changes the prompts of a shot in each scene, and that of the garden. */
function correctThree(): void {
  studio.answer('t2i_review', (request) => ({
    corrections: ['S0_L0_V0', 'S1_L1_V0', gardenIn(request)].map((item_id) => ({
      item_id,
      t2i_prompt: `corrected ${item_id}`,
      reason: 'It was wrong.',
    })),
  }));
}

function gardenIn(request: ProviderRequest): string {
  const { entities } = (request as TextRequest).input as unknown as {
    entities: { item_id: string; kind: string; name: string }[];
  };
  return entities.find(({ kind, name }) => kind === 'place' && /garden/i.test(name))!.item_id;
}

async function expectNothingToDo(episode: EpisodeRef): Promise<void> {
  const before = await versionsOf(database.db, episode);
  studio.soldSince();
  const again = await runStudio(studio, episode);
  expect(again.opened.outcome).toBe('nothing');
  expect(again.opened.decisions.map(({ stepId, action, origin }) => [stepId, action, origin])).toEqual(
    STEP_IDS.map((step) => [step, 'skip', 'clean']),
  );
  expect(studio.soldSince()).toEqual({});
  expect(await versionsOf(database.db, episode)).toEqual(before);
}

describe('after a review that changed prompts', () => {
  afterEach(() => studio.answer('t2i_review', null));

  it('skips every step of a finished episode, buys nothing, and writes no version', async () => {
    correctThree();
    const episode = await studio.episode();
    const first = await runStudio(studio, episode);
    expect(first.ran).toEqual([...STEP_IDS]);
    expect(await versionsOf(database.db, episode)).toMatchObject({ entity_t2i: 2, scene_detail: 2 });
    expect((await detailOf(database.db, episode)).scenes[1]!.t2i_variations[0]!.t2i_prompt).toBe('corrected S1_L1_V0');
    await expectNothingToDo(episode);
  });

  it('runs what had not run after the review, and skips the six before', async () => {
    correctThree();
    const episode = await studio.episode();
    await runStudio(studio, episode, { steps: REVIEWED });
    studio.soldSince();
    const resumed = await runStudio(studio, episode);
    expect(resumed.ran).toEqual(['floor_plan_render', 'background_render', 'scene_image_pipeline']);
    expect(Object.keys(studio.soldSince())).toEqual(['floor_plan_render', 'background_render', 'scene_image_pipeline']);
    await expectNothingToDo(episode);
  });

  it('makes stale only what reads the three prompts, and leaves shot_dependency_t2i and every other picture', async () => {
    studio.answer('t2i_review', () => ({ corrections: [] }));
    const episode = await studio.episode();
    await runStudio(studio, episode);
    const shots = (await detailOf(database.db, episode)).scenes.flatMap((scene) => scene.t2i_variations);
    correctThree();
    studio.soldSince();
    await runStudio(studio, episode, { steps: ['t2i_review'], items: { t2i_review: ['all'] } });
    expect(studio.soldSince()).toEqual({ t2i_review: ['all'] });

    const marks = await marksOf(database.db, episode);
    const statuses = await statusesOf(database.db, episode);
    expect(statuses).toMatchObject({
      scene_detail: 'completed',
      entity_t2i: 'completed',
      shot_dependency_t2i: 'completed',
      t2i_review: 'completed',
    });
    const marked = marks.filter((mark) => mark.startsWith('scene_image_pipeline:'));
    expect(marked.length).toBeGreaterThan(1);
    expect(marked.length).toBeLessThan(shots.length);
    expect(marks.filter((mark) => mark.startsWith('shot_dependency_t2i:'))).toEqual([]);

    const resumed = await runStudio(studio, episode);
    const sold = studio.soldSince();
    expect(
      Object.entries(sold)
        .flatMap(([step, items]) => items.map((item) => `${step}:${item}`))
        .sort(),
    ).toEqual(marks);
    expect(resumed.ran).not.toContain('shot_dependency_t2i');
    await expectNothingToDo(episode);
  });

  it('changes nothing, not even a version, where there is nothing to correct', async () => {
    studio.answer('t2i_review', () => ({ corrections: [] }));
    const episode = await studio.episode();
    await runStudio(studio, episode);
    expect(await versionsOf(database.db, episode)).toMatchObject({ entity_t2i: 1, scene_detail: 1 });
    await expectNothingToDo(episode);
  });
});

describe('where the hash beside a prompt was not refreshed', () => {
  it.each(['scene_detail', 'entity_t2i'] as const)(
    'blocks %s, forces nothing, buys nothing, and leaves every row as it was',
    async (victim) => {
      const episode = await studio.episode();
      await runStudio(studio, episode);
      const body =
        victim === 'scene_detail' ? await detailOf(database.db, episode) : await entitiesOf(database.db, episode);
      const damaged = JSON.stringify(body).replace(/"t2i_prompt":"/, '"t2i_prompt":"changed ');
      await database.db
        .updateTable('checkpoint')
        .set({ body: damaged })
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', victim)
        .execute();
      const before = await statusesOf(database.db, episode);
      studio.soldSince();
      const resumed = await runStudio(studio, episode);
      expect(resumed.opened).toMatchObject({ outcome: 'blocked', code: 'step.resume_blocked' });
      expect(resumed.opened.decisions.find((decision) => decision.stepId === victim)).toMatchObject({
        action: 'block',
        origin: 'invariant_drift',
      });
      expect(studio.soldSince()).toEqual({});
      expect(await statusesOf(database.db, episode)).toEqual(before);
      expect(await marksOf(database.db, episode)).toEqual([]);
    },
  );

  it('does not let the editor sign over it: the review blocks with the origin of its victim', async () => {
    const episode = await studio.episode();
    await runStudio(studio, episode);
    const body = JSON.stringify(await detailOf(database.db, episode)).replace(
      /"t2i_prompt":"/,
      '"t2i_prompt":"changed ',
    );
    await database.db
      .updateTable('checkpoint')
      .set({ body })
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_detail')
      .execute();
    await patchRow(database.db, episode, 't2i_review', { status: 'failed' });
    studio.soldSince();
    const review = await runStudio(studio, episode, { steps: ['t2i_review'] });
    expect(review.opened.decisions).toMatchObject([
      { action: 'block', origin: 'invariant_drift', code: 'step.resume_blocked' },
    ]);
    expect(studio.soldSince()).toEqual({});
  });
});
