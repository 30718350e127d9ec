import { STEP_IDS } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import { diffSnapshots } from '../../src/operations/queries/snapshot-diff';
import { restoreSnapshot } from '../../src/operations/restore-snapshot';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { actsOf, bodyOf, detailOf, marksOf, patchRow, statusesOf, versionsOf } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

let database: TestDatabase;
let studio: Studio;
/** Finished; its review corrected one shot, so scene_detail has version 1 (as made) and 2 (as edited). */
let finished: EpisodeRef;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, studio, finished, close } = await openFinishedStudio({ corrected: true }));
});
afterAll(() => close());

let episode: EpisodeRef;
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
  studio.soldSince();
});

const restore = (step: string, version: number) =>
  restoreSnapshot(studio.deps, { ...episode, stepId: step, version, by: 'ada' });
const firstShot = async () => (await detailOf(database.db, episode)).scenes[0]!.t2i_variations[0]!;

describe('restoring what an editor had changed', () => {
  it('brings the old prompt back as a new version, keeps the edited one readable, and writes down who did it', async () => {
    const edited = await firstShot();
    expect(edited.t2i_prompt).toBe('corrected');
    const answer = await restore('scene_detail', 1);
    expect(answer).toMatchObject({
      stepId: 'scene_detail',
      restored: 1,
      version: 3,
      changed: true,
      status: 'completed',
    });
    expect((await firstShot()).t2i_prompt).not.toBe('corrected');
    const versions = await database.db
      .selectFrom('checkpoint')
      .select(['version', 'written_by'])
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_detail')
      .orderBy('version')
      .execute();
    expect(versions.map((row) => row.written_by)).toEqual(['scene_detail', 't2i_review', 'restore']);
    expect((await actsOf(database.db, episode)).at(-1)).toMatchObject({
      act: 'restore',
      by: 'ada',
      step_id: 'scene_detail',
    });
    expect((await diffSnapshots(database.db, episode, 'scene_detail', 1, 3)).changes).toEqual([]);
  });

  it('marks the pictures that read the prompt, and neither the editor, nor what was made from the old prompt', async () => {
    const shot = (await firstShot()).shot_id;
    const answer = await restore('scene_detail', 1);
    expect(Object.keys(answer.stale)).toEqual(['scene_image_pipeline']);
    expect(answer.stale['scene_image_pipeline']).toContain(shot);
    expect(await marksOf(database.db, episode)).toEqual(
      answer.stale['scene_image_pipeline']!.map((item) => `scene_image_pipeline:${item}`).sort(),
    );
    const expected = Object.fromEntries(
      STEP_IDS.map((step) => [step, step === 'scene_image_pipeline' ? 'stale' : 'completed']),
    );
    expect(await statusesOf(database.db, episode)).toEqual(expected);
    expect(Object.fromEntries(answer.decisions.map(({ stepId, action }) => [stepId, action]))).toEqual(
      Object.fromEntries(STEP_IDS.map((step) => [step, step === 'scene_image_pipeline' ? 'rerun_self' : 'skip'])),
    );
  });

  it('is not undone by the next run, which draws the marked shots only, and not by a later rerun of the step', async () => {
    const answer = await restore('scene_detail', 1);
    const restored = await firstShot();
    const run = await runStudio(studio, episode);
    expect(run.ran).toEqual(['scene_image_pipeline']);
    expect([...(studio.soldSince()['scene_image_pipeline'] ?? [])].sort()).toEqual(
      [...answer.stale['scene_image_pipeline']!].sort(),
    );
    expect(await firstShot()).toEqual(restored);

    await patchRow(database.db, episode, 'scene_detail', { status: 'failed' });
    const again = await runStudio(studio, episode, { steps: ['scene_detail'] });
    expect(again.ran).toEqual(['scene_detail']);
    expect(studio.soldSince()).toEqual({});
    expect(await firstShot()).toEqual(restored);
    expect((await runStudio(studio, episode)).opened.outcome).toBe('nothing');
  });

  it('can be taken back: the edited version again, and the pictures drawn from it are reused at no cost', async () => {
    await restore('scene_detail', 1);
    const back = await restore('scene_detail', 2);
    expect(back).toMatchObject({ version: 4, changed: true, status: 'completed', stale: {} });
    expect((await firstShot()).t2i_prompt).toBe('corrected');
    await runStudio(studio, episode);
    expect(studio.soldSince()).toEqual({});
    expect(await marksOf(database.db, episode)).toEqual([]);
    expect((await runStudio(studio, episode)).opened.outcome).toBe('nothing');
  });
});

describe('a restore that has nothing to do or may not be', () => {
  it('changes nothing where the version counts already', async () => {
    const before = await versionsOf(database.db, episode);
    expect(await restore('scene_detail', 2)).toMatchObject({ changed: false, version: 2, stale: {} });
    expect(await versionsOf(database.db, episode)).toEqual(before);
    expect((await actsOf(database.db, episode)).filter(({ act }) => act === 'restore')).toEqual([]);
  });

  it.each([
    ['the step is running', 'scene_detail', { status: 'running' }, 'step.already_running'],
    ['a step downstream is running', 'background_render', { status: 'running' }, 'step.downstream_running'],
  ])('is refused while %s, and leaves every version and mark', async (_when, step, change, code) => {
    await patchRow(database.db, episode, step as 'scene_detail', change);
    const before = await versionsOf(database.db, episode);
    await expect(restore('scene_detail', 1)).rejects.toMatchObject({ code });
    expect(await versionsOf(database.db, episode)).toEqual(before);
    expect(await marksOf(database.db, episode)).toEqual([]);
  });

  it('is refused for a version that is not there, and for a step that is none', async () => {
    await expect(restore('scene_detail', 9)).rejects.toMatchObject({ code: 'snapshot.unknown' });
    await expect(restore('no_such_step', 1)).rejects.toMatchObject({ code: 'step.unknown' });
  });

  it.each([
    ['another schema', { schema_version: 7 }, 'step.contract_violation'],
    ['a body that is no JSON', { body: '{"scenes":' }, 'step.contract_violation'],
    ['a body of another shape', { body: '{"scenes":null}' }, 'step.contract_violation'],
    ['a note that the step did not apply', { body: '{"not_applicable":true}' }, 'step.contract_violation'],
  ])('is refused for a version with %s, which the next run could not read', async (_what, change, code) => {
    await database.db
      .updateTable('checkpoint')
      .set(change)
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_detail')
      .where('version', '=', 1)
      .execute();
    await expect(restore('scene_detail', 1)).rejects.toMatchObject({ code });
    expect(await versionsOf(database.db, episode)).toMatchObject({ scene_detail: 2 });
  });

  it('is refused for a version that was damaged: it would only block the next run', async () => {
    const { body } = await database.db
      .selectFrom('checkpoint')
      .select('body')
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_detail')
      .where('version', '=', 1)
      .executeTakeFirstOrThrow();
    await database.db
      .updateTable('checkpoint')
      .set({ body: body.replace('"t2i_prompt":"', '"t2i_prompt":"x') })
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_detail')
      .where('version', '=', 1)
      .execute();
    await expect(restore('scene_detail', 1)).rejects.toMatchObject({
      code: 'step.resume_blocked',
      message: expect.stringContaining('origin=invariant_drift'),
    });
  });
});

describe('after a restore of any other step every decision is a readable one', () => {
  it('a forced step gets its archived result back; what the force had made stale runs, and no scene is asked again', async () => {
    studio.answer('shot_selection', (request) => selectOne(request));
    await runStudio(studio, episode, { steps: ['shot_selection'], force: ['shot_selection'] });
    studio.answer('shot_selection', null);
    expect(await statusesOf(database.db, episode)).toMatchObject({
      scene_detail: 'stale',
      scene_image_pipeline: 'stale',
    });
    studio.soldSince();
    await restore('shot_selection', 1);
    const run = await runStudio(studio, episode);
    expect(run.opened.outcome).toBe('opened');
    expect(Object.values(run.ends).every((end) => end === 'completed')).toBe(true);
    expect(studio.soldSince()).not.toHaveProperty('scene_detail');
    expect((await runStudio(studio, episode)).opened.outcome).toBe('nothing');
  });

  it.each(STEP_IDS)(
    '%s: its own current version, restored from a row at rest that failed, needs no purchase',
    async (step) => {
      await patchRow(database.db, episode, step, { status: 'failed', error_message: 'by hand' });
      const version = (await versionsOf(database.db, episode))[step]!;
      const answer = await restore(step, version);
      expect(answer).toMatchObject({ changed: true, status: 'completed', stale: {} });
      expect(answer.decisions.map(({ action }) => action)).toEqual(STEP_IDS.map(() => 'skip'));
      expect(await bodyOf(database.db, episode, step)).toEqual(await bodyOf(database.db, finished, step));
    },
  );
});

/** A selection with one shot less in the first scene. */
function selectOne(request: unknown): never {
  const { input } = request as { input: { scenes: { scene: string }[] } };
  return {
    scenes: input.scenes.map(({ scene }) => ({ scene, place: '', time_of_day: 'day', mood: 'calm', shots: [SHOT] })),
  } as never;
}

const SHOT = {
  size: 'wide',
  camera: 'still',
  subject: 'the jar',
  characters: [],
  props: [],
  action: 'stands there',
  caption: '',
  speaker: '',
  on: true,
};
