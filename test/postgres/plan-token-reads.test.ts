import { sql } from 'kysely';
import { readEpisodeView } from '../../src/execution/episode-view';
import { forecast } from '../../src/execution/forecast';
import { planSteps } from '../../src/execution/plan-steps';
import { planDifferences, planToken } from '../../src/execution/plan-token';
import type { EpisodeRef } from '../../src/operations/contract';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { runStudio } from '../support/studio-run';

/** A token stands for all that its plan read (spec 40 "Plan"). */
let database: TestDatabase;
let studio: Studio;
let episode: EpisodeRef;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
  episode = await studio.episode();
  await runStudio(studio, episode, { steps: ['world_guide', 'shot_selection'] });
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

const CHOICE = { chosen: ['entity_t2i'], force: [], items: {} } as const;
const planned = async () => {
  const view = await readEpisodeView(database.db, episode.projectId, episode.episodeId);
  return { view, steps: await planSteps(studio.deps, view, CHOICE, await forecast(studio.deps, view, CHOICE)) };
};
const tokenNow = async () => {
  const { view, steps } = await planned();
  return planToken(view, CHOICE, steps);
};
const bump = (step: string) =>
  sql`UPDATE checkpoint SET version = version + 1 WHERE project_id = ${episode.projectId} AND step_id = ${step}`.execute(
    database.db,
  );

it('says that a step which is not chosen, and is read, has another version; one that nobody reads is left out', async () => {
  const before = await tokenNow();
  await bump('shot_selection');
  expect(planDifferences(before, await tokenNow())).toEqual([]);
  await bump('world_guide');
  expect(planDifferences(before, await tokenNow())).toEqual([expect.stringContaining('world_guide')]);
});

it('is the same whatever a skipped step keeps besides its checkpoint; what is asked of another step counts', async () => {
  const choice = { ...CHOICE, chosen: ['world_guide', 'entity_t2i'] } as const;
  const view = await readEpisodeView(database.db, episode.projectId, episode.episodeId);
  const steps = await planSteps(studio.deps, view, choice, await forecast(studio.deps, view, choice));
  expect(steps.map((step) => [step.decision.action, step.items.length > 0])).toEqual([
    ['skip', true],
    ['rerun_self', true],
  ]);
  const token = planToken(view, choice, steps);
  const without = (at: number) => steps.map((step, index) => (index === at ? { ...step, items: [] } : step));
  expect(planToken(view, choice, without(0))).toBe(token);
  expect(planToken(view, choice, without(1))).not.toBe(token);
});

it('says that the contexts have changed', async () => {
  const { view, steps } = await planned();
  const then = planToken(view, CHOICE, steps);
  const later = { ...view, inputs: { ...view.inputs, contexts: ['A lighthouse.'] } };
  expect(planDifferences(then, planToken(later, CHOICE, steps))).toEqual(['Changed: the contexts.']);
});

it('says that a request which was exact is another one now', async () => {
  const { view, steps } = await planned();
  expect(steps[0]!.requestHashes.length).toBeGreaterThan(0);
  const then = planToken(view, CHOICE, steps);
  const others = steps.map((step) => ({ ...step, requestHashes: step.requestHashes.map(() => 'another') }));
  expect(planDifferences(then, planToken(view, CHOICE, others))).toEqual([expect.stringContaining('entity_t2i')]);
});
