import type { EpisodeRef } from '../../src/operations/contract';
import { toggleShot } from '../../src/operations/toggle-shot';
import { plan } from '../../src/operations/plan';
import type { SceneImages } from '../../src/pipeline/scene-image-pipeline/schema';
import { shotsOf, type ShotSelection } from '../../src/pipeline/shot-selection/schema';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { actsOf, bodyOf, marksOf, patchRow, statusesOf, versionsOf } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
let shots: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
  finished = await studio.episode();
  await runStudio(studio, finished);
  shots = shotsOf(await bodyOf<ShotSelection>(database.db, finished, 'shot_selection')).map(({ shot }) => shot.shot_id);
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

let episode: EpisodeRef;
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
  studio.soldSince();
});

const toggle = (shotId: string, on: boolean) => toggleShot(studio.deps, { ...episode, shotId, on, by: 'dana' });
const drawn = async () =>
  (await bodyOf<SceneImages>(database.db, episode, 'scene_image_pipeline')).images.map((image) => image.shot_id);
const kept = async () => {
  const rows = await database.db
    .selectFrom('item_result')
    .select('item_id')
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', 'scene_image_pipeline')
    .where('archived_at', 'is', null)
    .execute();
  return rows.map((row) => row.item_id).sort();
};

describe('a shot that is switched off', () => {
  it('is kept and shown no more; the other shots keep their pictures, and nothing is bought', async () => {
    await toggle(shots[0]!, false);
    expect(await marksOf(database.db, episode)).toEqual([`scene_image_pipeline:${shots[0]}`]);
    expect(await statusesOf(database.db, episode)).toMatchObject({
      scene_image_pipeline: 'stale',
      background_render: 'completed',
      scene_detail: 'completed',
    });
    const run = await runStudio(studio, episode);
    expect(run.ran).toEqual(['scene_image_pipeline']);
    expect(studio.soldSince()).toEqual({});
    expect(await drawn()).toEqual(shots.slice(1));
    expect(await kept()).toEqual([...shots].sort());
    expect(await marksOf(database.db, episode)).toEqual([]);
  });

  it('comes back from what is kept when it is switched on, even under a prompt of a newer version', async () => {
    await toggle(shots[0]!, false);
    await runStudio(studio, episode);
    await database.db
      .updateTable('item_result')
      .set({ request_hash: 'of an older prompt version' })
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_image_pipeline')
      .execute();
    // Nor is there a purchase that would serve again: only what is kept can.
    await database.db.deleteFrom('purchase').where('project_id', '=', episode.projectId).execute();
    await toggle(shots[0]!, true);
    await runStudio(studio, episode);
    expect(studio.soldSince()).toEqual({});
    expect(await drawn()).toEqual(shots);
  });

  it('is drawn when it is switched on and was never drawn, and only it', async () => {
    const fresh = await studio.episode();
    episode = fresh;
    await runStudio(studio, fresh, {
      steps: [
        'world_guide',
        'shot_selection',
        'entity_t2i',
        'scene_detail',
        'shot_dependency_t2i',
        't2i_review',
        'floor_plan_render',
        'background_render',
      ],
    });
    await toggle(shots[1]!, false);
    await runStudio(studio, fresh);
    expect(await drawn()).not.toContain(shots[1]);
    studio.soldSince();
    await toggle(shots[1]!, true);
    const run = await runStudio(studio, fresh);
    expect(run.ran).toEqual(['scene_image_pipeline']);
    expect(studio.soldSince()).toEqual({ scene_image_pipeline: [shots[1]] });
    expect(await drawn()).toEqual(shots);
  });
});

describe('switching', () => {
  it('all shots off sets the step aside, and one on again brings it back from what is kept', async () => {
    for (const shot of shots) await toggle(shot, false);
    const off = await runStudio(studio, episode);
    expect(off.ends).toMatchObject({ scene_image_pipeline: 'not_applicable' });
    expect(await marksOf(database.db, episode)).toEqual([]);
    await toggle(shots[2]!, true);
    await runStudio(studio, episode);
    expect(await drawn()).toEqual([shots[2]]);
    expect(studio.soldSince()).toEqual({});
  });

  it('twice the same changes nothing the second time: no mark, no audit, no stale row', async () => {
    expect(await toggle(shots[0]!, true)).toMatchObject({ changed: false });
    expect(await marksOf(database.db, episode)).toEqual([]);
    expect(await statusesOf(database.db, episode)).toMatchObject({ scene_image_pipeline: 'completed' });
    expect(await toggle(shots[0]!, false)).toMatchObject({ changed: true });
    expect(await toggle(shots[0]!, false)).toMatchObject({ changed: false });
    expect((await actsOf(database.db, episode)).filter(({ act }) => act === 'toggle')).toMatchObject([{ by: 'dana' }]);
  });

  it('is refused while the step is running, and leaves switch, marks and row', async () => {
    await patchRow(database.db, episode, 'scene_image_pipeline', { status: 'running' });
    await expect(toggle(shots[0]!, false)).rejects.toMatchObject({ code: 'step.already_running', statusCode: 409 });
    expect(await marksOf(database.db, episode)).toEqual([]);
    const switches = await database.db
      .selectFrom('shot_switch')
      .selectAll()
      .where('project_id', '=', episode.projectId)
      .execute();
    expect(switches).toEqual([]);
  });

  it('an unknown shot is refused, also one named by its position', async () => {
    await expect(toggle('S0_L0_V0', false)).rejects.toMatchObject({ code: 'shot.unknown', statusCode: 404 });
    await expect(toggle('../../etc/passwd', false)).rejects.toMatchObject({ code: 'shot.unknown' });
  });

  it('does not narrow a row that was set stale by hand: the other items are looked at, too', async () => {
    await patchRow(database.db, episode, 'scene_image_pipeline', { status: 'stale' });
    await toggle(shots[0]!, false);
    expect(await marksOf(database.db, episode)).toEqual(shots.map((shot) => `scene_image_pipeline:${shot}`).sort());
  });

  it("gives way to an editor's mark: a shot that was switched twice and then corrected is asked again", async () => {
    await toggle(shots[0]!, false);
    await toggle(shots[0]!, true);
    studio.answer('t2i_review', () => ({
      corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: 'corrected', reason: 'It was wrong.' }],
    }));
    await runStudio(studio, episode, { steps: ['t2i_review'], items: { t2i_review: ['all'] } });
    studio.answer('t2i_review', null);
    studio.soldSince();
    await runStudio(studio, episode);
    expect(studio.soldSince()['scene_image_pipeline']).toContain(shots[0]);
  });
});

describe('items that a person asks again', () => {
  it('redo of a shot buys exactly that shot, in a new generation, and keeps the old picture readable', async () => {
    const before = await versionsOf(database.db, episode);
    const run = await runStudio(studio, episode, {
      steps: ['scene_image_pipeline'],
      items: { scene_image_pipeline: [shots[1]!] },
    });
    expect(run.opened.decisions).toMatchObject([{ stepId: 'scene_image_pipeline', action: 'force_explicit' }]);
    expect(studio.soldSince()).toEqual({ scene_image_pipeline: [shots[1]] });
    expect(await versionsOf(database.db, episode)).toEqual({
      ...before,
      scene_image_pipeline: before['scene_image_pipeline']! + 1,
    });
    expect(await statusesOf(database.db, episode)).toMatchObject({
      scene_image_pipeline: 'completed',
      background_render: 'completed',
    });
    expect(await kept()).toEqual([...shots].sort());
    expect((await runStudio(studio, episode)).opened.outcome).toBe('nothing');
  });

  it('asked under the same request id again, the same redo is obeyed once', async () => {
    const redo = { steps: ['scene_image_pipeline'], items: { scene_image_pipeline: [shots[1]!] }, requestId: 'redo-1' };
    await runStudio(studio, episode, redo);
    studio.soldSince();
    await runStudio(studio, episode, redo);
    expect(studio.soldSince()).toEqual({});
  });

  it('an item of a text step marks only its readers, and leaves every other scene', async () => {
    const detail = shots.filter((shot) => shot.split('-')[0] === shots[0]!.split('-')[0]);
    await runStudio(studio, episode, { steps: ['scene_detail'], items: { scene_detail: [shots[0]!] } });
    expect(studio.soldSince()).toEqual({ scene_detail: [expect.any(String)] });
    const marks = await marksOf(database.db, episode);
    expect(marks).toContain(`scene_image_pipeline:${shots[0]}`);
    expect(marks).toContain('shot_dependency_t2i:all');
    expect(marks.filter((mark) => mark.startsWith('scene_image_pipeline')).length).toBeLessThan(shots.length);
    expect(detail.length).toBeGreaterThan(0);
    expect(await statusesOf(database.db, episode)).toMatchObject({
      entity_t2i: 'completed',
      floor_plan_render: 'completed',
      background_render: 'completed',
    });
  });

  it('the one item of a step marks everything that reads it, and nothing that does not', async () => {
    await runStudio(studio, episode, { steps: ['shot_dependency_t2i'], items: { shot_dependency_t2i: ['all'] } });
    const steps = new Set((await marksOf(database.db, episode)).map((mark) => mark.split(':')[0]));
    expect([...steps].sort()).toEqual(['scene_image_pipeline', 't2i_review']);
  });

  it.each([
    ['of a shot that is off', () => shots[3]!, true],
    ['that nobody knows', () => 'nobody', false],
  ])('an item %s is refused before anything starts, naming some that there are', async (_which, item, off) => {
    if (off) await toggle(item(), false);
    await expect(plan(studio.deps, { ...episode, items: { scene_image_pipeline: [item()] } })).rejects.toMatchObject({
      code: 'step.item_unknown',
      message: expect.stringContaining(shots[0]!),
    });
  });
});
