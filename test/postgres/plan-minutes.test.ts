import type { EpisodeRef } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';

/** How long a plan expects its calls to take (spec 40 "Plan", "Limits"). */
let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, studio, finished, close } = await openFinishedStudio());
});
afterAll(() => close());

let episode: EpisodeRef;
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
});

it('expects minutes by what earlier calls of the step took in this project, and none where nobody has called it', async () => {
  const { projectId: project } = episode;
  const only = { ...episode, force: ['scene_detail'], steps: ['scene_detail'] };
  const times = { sent_at: '2026-03-25T04:12:00.000000Z', settled_at: '2026-03-25T04:13:30.000000Z' };
  await database.db.updateTable('purchase').where('project_id', '=', project).set(times).execute();
  const { steps, calls, expectedMinutes } = await plan(studio.deps, only);
  const expected = 1.5 * Math.ceil(calls / studio.provider.limits.concurrentCalls);
  expect([calls > 0, expectedMinutes]).toEqual([true, expected]);
  expect(steps.find((one) => one.stepId === 'scene_detail')?.expectedMinutes).toBe(expected);
  const slow = { ...studio.deps, limitsOf: () => ({ concurrentCalls: 1, callsPerMinute: 1_000 }) };
  expect((await plan(slow, only)).expectedMinutes).toBe(1.5 * calls);
  await database.db.deleteFrom('purchase').where('project_id', '=', project).execute();
  expect((await plan(studio.deps, only)).expectedMinutes).toBeNull();
});

it('asks for the limits of the provider that the step buys of, by the settings that are assumed', async () => {
  const asked: string[] = [];
  const limitsOf = (provider: string) => (asked.push(provider), studio.provider.limits);
  const assume = ['config.provider.text=http'];
  await plan({ ...studio.deps, limitsOf }, { ...episode, force: ['scene_detail'], steps: ['scene_detail'], assume });
  await plan(
    { ...studio.deps, limitsOf },
    { ...episode, force: ['scene_image_pipeline'], steps: ['scene_image_pipeline'], assume },
  );
  await plan({ ...studio.deps, limitsOf }, episode);
  expect(asked).toEqual(['http', 'offline']);
});
