import { STEP_IDS, type StepId } from '../../src/domain/steps';
import type { EpisodeRef } from '../../src/operations/contract';
import { plan } from '../../src/operations/plan';
import { putEpisode } from '../../src/operations/put-episode';
import { setSetting } from '../../src/operations/set-setting';
import { toggleShot } from '../../src/operations/toggle-shot';
import type { AnnouncedStep } from '../../src/runs/open-run';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import { SMALL, type Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { patchRow } from '../support/studio-reads';
import { runStudio, type RunOptions } from '../support/studio-run';

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
  studio.soldSince();
});

const planOf = (choice: RunOptions & { assume?: string[] } = {}) => plan(studio.deps, { ...episode, ...choice });
const stepOf = async (step: StepId, choice: RunOptions & { assume?: string[] } = {}) =>
  (await planOf(choice)).steps.find((one) => one.stepId === step)!;

/** Everything that a table of this database holds of the episode, to see that nothing was written. */
async function everything(): Promise<string> {
  const tables = [
    'step_run',
    'checkpoint',
    'item_result',
    'stale_mark',
    'generation',
    'purchase',
    'step_decision',
    'run',
    'audit',
  ] as const;
  const all = [];
  for (const table of tables)
    all.push(await database.db.selectFrom(table).selectAll().where('project_id', '=', episode.projectId).execute());
  return JSON.stringify(all);
}

describe('a run does exactly what was exact in its plan', () => {
  // prettier-ignore
  const cases: [string, RunOptions, () => Promise<void>][] = [
    ['a finished episode', {}, async () => undefined],
    ['two pictures whose files are gone', {}, async () => {
      const rows = await database.db.selectFrom('item_result').select(['item_id']).where('project_id', '=', episode.projectId).where('step_id', '=', 'scene_image_pipeline').execute();
      await database.db.updateTable('item_result').set({ status: 'failed', error_code: 'provider.unavailable' }).where('project_id', '=', episode.projectId).where('item_id', 'in', rows.slice(0, 2).map((row) => row.item_id)).execute();
      await patchRow(database.db, episode, 'scene_image_pipeline', { status: 'partial' });
    }],
    ['a step set stale by hand, with nothing changed', {}, () => patchRow(database.db, episode, 'background_render', { status: 'stale' })],
    ['a shot that is redone', { steps: ['scene_image_pipeline'], items: { scene_image_pipeline: ['SHOT'] } }, async () => undefined],
    ['items of a text step', { items: { scene_detail: ['SHOT'] } }, async () => undefined],
    ['the last step forced', { force: ['scene_image_pipeline'] }, async () => undefined],
    ['an early step forced', { force: ['entity_t2i'] }, async () => undefined],
    ['a shot switched off', {}, async () => void (await toggleShot(studio.deps, { ...episode, shotId: shots[0]!, on: false, by: 'test' }))],
  ];

  it.each(cases)('%s', async (_what, choice, prepare) => {
    await prepare();
    const items =
      choice.items &&
      Object.fromEntries(
        Object.entries(choice.items).map(([step, list]) => [
          step,
          list.map((item) => (item === 'SHOT' ? shots[1]! : item)),
        ]),
      );
    const asked = items ? { ...choice, items } : choice;
    const before = await everything();
    const announced = await planOf(asked);
    expect(await everything()).toBe(before);
    const run = await runStudio(studio, episode, { ...asked, planToken: announced.token });
    const sold = studio.soldSince();
    for (const step of announced.steps) {
      const buys = step.items.filter((item) => item.action === 'buy').map((item) => item.itemId);
      const bought = sold[step.stepId] ?? [];
      if (step.estimated) expect(bought.length).toBeLessThanOrEqual(step.calls);
      else expect(bought.length).toBe(step.calls);
      if (!step.estimated && step.stepId !== 'scene_detail') expect([...bought].sort()).toEqual([...buys].sort());
    }
    const chosenSteps = new Set(announced.steps.map((step) => step.stepId));
    expect(Object.keys(sold).filter((step) => !chosenSteps.has(step))).toEqual([]);
    if (run.opened.outcome === 'nothing') expect(announced.calls).toBe(0);
  });

  it('keeps with the run what was announced, item by item, also where nobody gave a token', async () => {
    await runStudio(studio, episode, { steps: ['scene_image_pipeline'], items: { scene_image_pipeline: [shots[1]!] } });
    const { plan: stored } = await database.db
      .selectFrom('run')
      .select('plan')
      .where('project_id', '=', episode.projectId)
      .executeTakeFirstOrThrow();
    const { announced, token } = JSON.parse(stored!) as { announced: AnnouncedStep[]; token: string };
    expect(announced).toEqual([
      { stepId: 'scene_image_pipeline', action: 'force_explicit', calls: 1, estimated: false, buy: [shots[1]] },
    ]);
    expect(token).toMatch(/^[0-9a-f]{16}-/);
  });

  it('a forced item shows what reads it as estimated, and every other picture as kept', async () => {
    const pictures = await stepOf('scene_image_pipeline', { items: { scene_detail: [shots[0]!] } });
    expect(pictures).toMatchObject({ action: 'rerun_self', estimated: true });
    const buys = pictures.items.filter((item) => item.action === 'buy').map((item) => item.itemId);
    expect(buys).toContain(shots[0]);
    expect(buys.length).toBeLessThan(shots.length);
    expect(pictures.calls).toBe(buys.length);
  });
});

describe('what if', () => {
  it('another style: the steps that list it block, naming the key, and its hash; nothing is written', async () => {
    const before = await everything();
    const noir = await planOf({ assume: ['config.style=noir'] });
    const blocked = noir.steps.filter((step) =>
      step.evidence.some((piece) => piece.what === 'config' && piece.where === 'style'),
    );
    expect(blocked.map((step) => step.stepId)).toEqual([
      'entity_t2i',
      'scene_detail',
      'floor_plan_render',
      'background_render',
      'scene_image_pipeline',
    ]);
    expect(blocked.every((step) => step.action === 'block' && step.origin === 'contract_drift')).toBe(true);
    expect(noir.steps.find((step) => step.stepId === 'world_guide')).toMatchObject({ action: 'skip' });
    expect(await everything()).toBe(before);
  });

  it('another style by force: every item of the forced steps, priced', async () => {
    const forced = await stepOf('entity_t2i', { assume: ['config.style=noir'], force: ['entity_t2i'] });
    expect(forced.action).toBe('force_explicit');
    expect(forced.calls).toBe(forced.items.length);
    expect(forced.costUsd).toBeCloseTo(forced.calls * 0.04);
  });

  it('another prompt version asks nothing again by itself, and the plan says so', async () => {
    const assumed = await planOf({ assume: ['step.scene_detail.promptVersion=8'] });
    expect(assumed).toMatchObject({ calls: 0, costUsd: 0 });
    const step = assumed.steps.find((one) => one.stepId === 'scene_detail')!;
    expect(step).toMatchObject({ action: 'skip', calls: 0 });
    expect(step.reason).toMatch(/prompt version by itself asks nothing again/);
    expect(step.evidence).toContainEqual({
      what: 'prompt_version assumed',
      where: 'scene_detail',
      expected: '8',
      found: 'scene_detail/1',
    });
  });

  it('another prompt version by force: every scene of that step, and the steps above are skipped', async () => {
    const assumed = await planOf({ assume: ['step.scene_detail.promptVersion=8'], force: ['scene_detail'] });
    const step = assumed.steps.find((one) => one.stepId === 'scene_detail')!;
    expect(step.items.every((item) => item.action === 'buy')).toBe(true);
    expect(step.calls).toBe(3);
    expect(assumed.steps.slice(0, 3).map((one) => [one.action, one.calls])).toEqual([
      ['skip', 0],
      ['skip', 0],
      ['skip', 0],
    ]);
  });

  it('another prompt version under a stale row: marked items are asked again, which are reused without it', async () => {
    await patchRow(database.db, episode, 'scene_detail', { status: 'stale' });
    expect(await stepOf('scene_detail')).toMatchObject({ action: 'rerun_self', calls: 0 });
    expect(await stepOf('scene_detail', { assume: ['step.scene_detail.promptVersion=8'] })).toMatchObject({
      action: 'rerun_self',
      calls: 3,
    });
  });

  it.each([
    ['config.nothing=1', 'config.unknown_key'],
    ['config.image.size=huge', 'config.invalid'],
    ['step.nobody.promptVersion=8', 'step.unknown'],
    ['step.scene_detail.schemaVersion=8', 'input.invalid'],
    ['weather=rain', 'input.invalid'],
  ])('refuses %s with %s', async (text, code) => {
    await expect(planOf({ assume: [text] })).rejects.toMatchObject({ code });
  });
});

describe('a plan token', () => {
  it('is the same as long as nothing that matters changes, and does not carry times or owners', async () => {
    const first = await planOf();
    await patchRow(database.db, episode, 'scene_detail', {
      heartbeat_at: '2026-01-01T00:00:00Z',
      owner_host: 'elsewhere',
    });
    expect((await planOf()).token).toBe(first.token);
  });

  // prettier-ignore
  const changes: [string, () => Promise<unknown>, RegExp][] = [
    ['the screenplay', () => putEpisode(studio.deps, { ...episode, fileName: 'small.fountain', bytes: Buffer.from(`${SMALL}\n\nMARA\nGood night.\n`), by: 'test' }), /Changed: the screenplay/],
    ['a setting', () => setSetting(database.db, { projectId: episode.projectId, key: 'model.text', value: 'offline-writer-2', by: 'test' }), /Changed: the settings/],
    ['a switch', () => toggleShot(studio.deps, { ...episode, shotId: shots[0]!, on: false, by: 'test' }), /Changed: the switches of shots.*scene_image_pipeline: skip then, rerun_self now/],
    ['a status', () => patchRow(database.db, episode, 'background_render', { status: 'failed' }), /background_render: skip then, rerun_self now/],
  ];
  it.each(changes)(
    'refuses the run after %s has changed, says what, and leaves every row',
    async (_what, change, words) => {
      const { token } = await planOf();
      await change();
      const before = await database.db
        .selectFrom('step_run')
        .selectAll()
        .where('project_id', '=', episode.projectId)
        .orderBy('step_id')
        .execute();
      const run = await runStudio(studio, episode, { planToken: token });
      expect(run.opened).toMatchObject({ outcome: 'blocked', code: 'plan.outdated' });
      expect(run.opened.differences!.join(' ')).toMatch(words);
      expect(run.opened.reason).toContain(run.opened.differences![0]!);
      expect(run.opened.decisions).toHaveLength(STEP_IDS.length);
      expect(
        await database.db
          .selectFrom('step_run')
          .selectAll()
          .where('project_id', '=', episode.projectId)
          .orderBy('step_id')
          .execute(),
      ).toEqual(before);
      expect(studio.soldSince()).toEqual({});
    },
  );

  it('refuses the run when an item would be bought that the plan kept', async () => {
    await patchRow(database.db, episode, 'scene_image_pipeline', { status: 'failed' });
    const { token } = await planOf();
    await database.db
      .updateTable('item_result')
      .set({ archived_at: '2026-01-01T00:00:00Z' })
      .where('project_id', '=', episode.projectId)
      .where('item_id', '=', shots[0]!)
      .where('step_id', '=', 'scene_image_pipeline')
      .execute();
    await database.db
      .deleteFrom('purchase')
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_image_pipeline')
      .execute();
    const run = await runStudio(studio, episode, { planToken: token });
    expect(run.opened.differences).toEqual([
      'scene_image_pipeline: rerun_self as then, but what it reads or buys has changed.',
    ]);
  });

  it.each(['', 'abc', 'ffffffffffffffff-sssssssss-00', '0'.repeat(32)])(
    'refuses %j, which is no token',
    async (token) => {
      const run = await runStudio(studio, episode, { planToken: token });
      expect(run.opened).toMatchObject({
        code: 'plan.outdated',
        differences: ['The token is none of this release: make a new plan.'],
      });
    },
  );

  it('is for what was chosen: the same episode with another choice is refused', async () => {
    const { token } = await planOf({ force: ['entity_t2i'] });
    const run = await runStudio(studio, episode, { planToken: token });
    expect(run.opened.differences![0]).toBe('Changed: what was chosen.');
  });
});
