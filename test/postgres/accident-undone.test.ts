import type * as Sentinels from '../../src/pipeline/t2i-review/refresh-sentinels';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { detailOf, entitiesOf, statusesOf, versionsOf } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** The release that had the accident: the editor without its refresh of the sentinels. */
jest.mock('../../src/pipeline/t2i-review/refresh-sentinels', (): Partial<typeof Sentinels> => ({
  ...jest.requireActual<typeof Sentinels>('../../src/pipeline/t2i-review/refresh-sentinels'),
  refreshSentinels: (bodies) => bodies,
}));

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

it('with the refresh undone the editor fails, and its victims keep their bytes, versions and status', async () => {
  const episode = await studio.episode();
  await runStudio(studio, episode, {
    steps: ['world_guide', 'shot_selection', 'entity_t2i', 'scene_detail', 'shot_dependency_t2i'],
  });
  const before = [await detailOf(database.db, episode), await entitiesOf(database.db, episode)];
  studio.answer('t2i_review', () => ({
    corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: 'corrected', reason: 'It was wrong.' }],
  }));
  const run = await runStudio(studio, episode);
  expect(run.ends).toMatchObject({ t2i_review: 'failed' });
  const row = await database.db
    .selectFrom('step_run')
    .select('error_message')
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', 't2i_review')
    .executeTakeFirstOrThrow();
  expect(row.error_message).toMatch(
    /^t2i_review\.victim_verify_failed: scene_detail would not verify \(origin=invariant_drift\)/,
  );
  expect([await detailOf(database.db, episode), await entitiesOf(database.db, episode)]).toEqual(before);
  expect(await versionsOf(database.db, episode)).toMatchObject({ scene_detail: 1, entity_t2i: 1 });
  expect(await statusesOf(database.db, episode)).toMatchObject({ scene_detail: 'completed', entity_t2i: 'completed' });
});
