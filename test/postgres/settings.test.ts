import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { STEP_IDS, type StepId } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import { applyProjectDefaults } from '../../src/operations/project-defaults';
import { setSetting } from '../../src/operations/set-setting';
import { readProjectSettings } from '../../src/operations/queries/project-settings';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, SMALL_PICTURES, type Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { runStudio } from '../support/studio-run';

/** What of the settings matters for resume, and what does not (spec 20 "Contract", cases C15 and C16). */
let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
  folder = await mkdtemp(path.join(os.tmpdir(), 'callsheet-settings-'));
  finished = await studio.episode();
  await runStudio(studio, finished);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await studio.close();
  await database.drop();
});

let episode: EpisodeRef;
beforeEach(async () => {
  await database.db.deleteFrom('project_config').where('project_id', '=', '*').execute();
  episode = await copyEpisode(database.db, finished);
  studio.soldSince();
});

const actions = async () =>
  Object.fromEntries((await plan(studio.deps, episode)).steps.map((step) => [step.stepId, step.action]));
const ALL_SKIP = Object.fromEntries(STEP_IDS.map((step) => [step, 'skip']));
const READ_STYLE: StepId[] = [
  'entity_t2i',
  'scene_detail',
  'floor_plan_render',
  'background_render',
  'scene_image_pipeline',
];
const READ_SIZE: StepId[] = ['floor_plan_render', 'background_render', 'scene_image_pipeline'];

async function file(text: string): Promise<string> {
  const name = path.join(folder, 'callsheet.config.json');
  await writeFile(name, text);
  return name;
}

describe('noise in the settings leaves every step a skip, and buys nothing', () => {
  it.each([
    [
      'the keys in another order, and a default written out',
      { style: 'ink wash storyboard', ...SMALL_PICTURES, 'provider.text': 'offline' },
    ],
    ['keys that are null', { ...SMALL_PICTURES, style: null, 'model.image': null }],
    [
      'another model, provider, price and policy',
      { ...SMALL_PICTURES, 'model.text': 'x', 'model.image': 'y', 'offline.priceUsd': 3, 'inDoubt.image': 'rebuy' },
    ],
  ])('%s', async (_what, settings) => {
    await studio.configure(episode.projectId, settings);
    expect(await actions()).toEqual(ALL_SKIP);
    expect((await runStudio(studio, episode)).opened.outcome).toBe('nothing');
    expect(studio.soldSince()).toEqual({});
  });

  it('a file of defaults with a BOM, CRLF and other white space says the same as before', async () => {
    await applyProjectDefaults(database.db, await file('{"style":"ink wash storyboard","provider.text":"offline"}'));
    const audited = () => database.db.selectFrom('audit').select('id').where('act', '=', 'config_defaults').execute();
    const before = (await audited()).length;
    await applyProjectDefaults(
      database.db,
      await file('\ufeff{\r\n  "provider.text": "offline",\r\n\t"style": "ink wash storyboard"\r\n}\r\n'),
    );
    expect(await audited()).toHaveLength(before);
    expect(await actions()).toEqual(ALL_SKIP);
  });

  it('a key that a checkpoint does not have is no drift: a release listed it later', async () => {
    await database.db
      .updateTable('checkpoint')
      .set({ config_hashes: '{}' })
      .where('project_id', '=', episode.projectId)
      .execute();
    await studio.configure(episode.projectId, { ...SMALL_PICTURES, style: 'noir' });
    // scene_detail's cards name the style themselves: that is a hash beside the prompt, and no setting.
    expect(await actions()).toMatchObject({ entity_t2i: 'skip', floor_plan_render: 'skip', background_render: 'skip' });
  });
});

describe('a change that matters blocks the steps that list it, names the key, and leaves the others', () => {
  it.each([
    ['style', { ...SMALL_PICTURES, style: 'noir' }, READ_STYLE],
    ['style', { ...SMALL_PICTURES, style: 'ink  wash storyboard' }, READ_STYLE],
    ['style', { ...SMALL_PICTURES, style: 'ínk wash storyboard'.normalize('NFD') }, READ_STYLE],
    ['image.size', { 'image.size': '66x36' }, READ_SIZE],
  ])('%s', async (key, settings, steps) => {
    await studio.configure(episode.projectId, settings);
    const planned = await plan(studio.deps, episode);
    const drifting = planned.steps.filter((step) => step.origin === 'contract_drift');
    expect(drifting.map((step) => step.stepId)).toEqual(steps);
    for (const step of drifting) {
      expect(step).toMatchObject({ action: 'block', code: 'step.resume_blocked' });
      expect(step.evidence).toContainEqual(expect.objectContaining({ what: 'config', where: key }));
    }
    const run = await runStudio(studio, episode);
    expect(run.opened).toMatchObject({ outcome: 'blocked', code: 'step.resume_blocked' });
    expect(studio.soldSince()).toEqual({});
  });

  it('from the file of defaults, too, but for a project that says otherwise', async () => {
    const other = await copyEpisode(database.db, finished);
    await setSetting(database.db, {
      projectId: other.projectId,
      key: 'style',
      value: 'ink wash storyboard',
      by: 'test',
    });
    await applyProjectDefaults(database.db, await file('{"style":"noir"}'));
    expect(await readProjectSettings(database.db, episode.projectId)).toMatchObject({
      style: 'noir',
      'image.size': '64x36',
    });
    expect(await actions()).toMatchObject({ world_guide: 'skip', entity_t2i: 'block' });
    expect((await plan(studio.deps, other)).steps.every((step) => step.action === 'skip')).toBe(true);
  });

  it('and the same value again is a skip: what was made fits once more', async () => {
    await studio.configure(episode.projectId, { ...SMALL_PICTURES, style: 'noir' });
    await studio.configure(episode.projectId, SMALL_PICTURES);
    expect(await actions()).toEqual(ALL_SKIP);
  });
});

describe('callsheet.config.json', () => {
  it('absent changes nothing, and what an earlier one said stays', async () => {
    await applyProjectDefaults(database.db, await file('{"style":"noir"}'));
    await applyProjectDefaults(database.db, path.join(folder, 'no-such-file.json'));
    expect(await readProjectSettings(database.db, 'a-new-project')).toMatchObject({ style: 'noir' });
  });

  it('does not stick to a project that sets something else: the defaults go on counting', async () => {
    await applyProjectDefaults(database.db, await file('{"style":"noir"}'));
    expect(
      await setSetting(database.db, { projectId: episode.projectId, key: 'model.text', value: 'x', by: 'test' }),
    ).toMatchObject({ style: 'noir', 'model.text': 'x' });
    await applyProjectDefaults(database.db, await file('{"style":"watercolour"}'));
    expect(await readProjectSettings(database.db, episode.projectId)).toMatchObject({
      style: 'watercolour',
      'model.text': 'x',
    });
  });

  it.each([
    ['{"style":', 'config.invalid'],
    ['[]', 'config.invalid'],
    ['{"stile":"noir"}', 'config.unknown_key'],
    ['{"image.size":"huge"}', 'config.invalid'],
  ])('%s is refused by its name, and the defaults stay as they were', async (text, code) => {
    await applyProjectDefaults(database.db, await file('{"style":"noir"}'));
    await expect(applyProjectDefaults(database.db, await file(text))).rejects.toMatchObject({
      code,
      message: expect.stringContaining('callsheet.config.json'),
    });
    expect(await readProjectSettings(database.db, 'a-new-project')).toMatchObject({ style: 'noir' });
  });
});
