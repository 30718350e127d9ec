import { STEP_IDS, type StepId } from '../../src/domain/steps';
import { hashOf } from '../../src/hash';
import { ID_PATTERN } from '../../src/domain/ids';
import { STEPS } from '../../src/pipeline/manifest';
import { loadShotSelection, shotsOf } from '../../src/pipeline/shot-selection/schema';
import { loadSceneDetail } from '../../src/pipeline/scene-detail/schema';
import { loadWorldGuide } from '../../src/pipeline/world-guide/schema';
import { runPipeline, type PipelineRun } from '../support/pipeline-runner';
import { LIGHTHOUSE, manyScenes, NIGHT_BUS, WEBTOON } from '../support/screenplays';

const PLAIN = 'An old man waits in the kitchen.\nThe kettle sings.\n\nHe pours two cups.\n\nNobody comes.';

async function origins(run: PipelineRun): Promise<Partial<Record<StepId, string>>> {
  const found: Partial<Record<StepId, string>> = {};
  for (const id of run.calls.keys())
    found[id] = (
      await STEPS[id].verify({ inputs: run.inputs, body: run.bodies.get(id), artifacts: run.artifacts })
    ).origin;
  return found;
}

/** Request hashes by item of a step. */
function requests(run: PipelineRun, step: StepId): Map<string, string> {
  return new Map(
    (run.calls.get(step) ?? []).flatMap((call) => call.items.map((item) => [item, hashOf(call.request)] as const)),
  );
}

describe.each([
  ['the English example', LIGHTHOUSE],
  ['the Korean example', NIGHT_BUS],
  ['a webtoon script', WEBTOON],
  ['plain text without headings', PLAIN],
  ['sixty scenes', manyScenes(60)],
])('the pipeline in memory: %s', (_what, text) => {
  let run: PipelineRun;
  beforeAll(async () => {
    run = await runPipeline(text);
  });

  it('runs every step that applies, and every checkpoint verifies clean, also those that the editor changed', async () => {
    expect(Object.values(await origins(run))).toEqual([...run.calls.keys()].map(() => 'clean'));
    expect(run.calls.has('scene_image_pipeline')).toBe(true);
  });

  it('has items that are unique and fit for rows and paths, and a call for each image', () => {
    for (const [id, calls] of run.calls) {
      const items = calls.flatMap((call) => call.items);
      expect(new Set(items).size).toBe(items.length);
      for (const item of items) expect(item).toMatch(ID_PATTERN);
      for (const call of calls) expect(call.request.kind).toBe(STEPS[id].kind);
    }
  });

  it('gives the same bytes and the same requests again', async () => {
    const again = await runPipeline(text);
    for (const id of STEP_IDS) {
      expect(JSON.stringify(again.bodies.get(id))).toBe(JSON.stringify(run.bodies.get(id)));
      expect([...requests(again, id)]).toEqual([...requests(run, id)]);
    }
  });

  it('has a variation for every shot, on or off, and an image for every shot that is on', () => {
    const shots = shotsOf(loadShotSelection(run.inputs)).map(({ shot }) => shot);
    expect(
      loadSceneDetail(run.inputs).scenes.flatMap((scene) => scene.t2i_variations.map((one) => one.shot_id)),
    ).toEqual(shots.map((shot) => shot.shot_id));
    expect([...requests(run, 'scene_image_pipeline').keys()]).toEqual(
      shots.filter((shot) => shot.on).map((shot) => shot.shot_id),
    );
  });

  it('shows no id and no position in any request but the review’s', () => {
    const ids = run.inputs.screenplay.scenes.flatMap((scene) => [
      scene.id,
      ...shotsOf(loadShotSelection(run.inputs)).map(({ shot }) => shot.shot_id),
    ]);
    for (const [id, calls] of run.calls) {
      if (id === 't2i_review') continue;
      const text_ = JSON.stringify(calls.map((call) => call.request));
      expect(ids.filter((one) => text_.includes(`"${one}"`))).toEqual([]);
      expect(text_).not.toMatch(/"(?:scene_index|shot_id|scene_id|item_id|index|position_in_[a-z]+)"/);
    }
  });
});

describe('a scene put at the front', () => {
  const inserted = 'EXT. RAILWAY BRIDGE - DAY\n\nTwo strangers watch a train go by. Neither waves.\n\n';
  const front = (text: string): string =>
    text.replace(/\n\n(?=(?:FADE IN:\n\n)?(?:EXT|INT|실외|실내)\.)/, `\n\n${inserted}`);

  it.each([
    ['the English example', LIGHTHOUSE],
    ['the Korean example', NIGHT_BUS],
    ['twenty scenes', manyScenes(20)],
  ])('leaves every entity, scene, plan, background and shot of %s as it was', async (_what, text) => {
    const [before, after] = [await runPipeline(text), await runPipeline(front(text))];
    expect(after.inputs.screenplay.scenes).toHaveLength(before.inputs.screenplay.scenes.length + 1);
    for (const step of [
      'entity_t2i',
      'scene_detail',
      'floor_plan_render',
      'background_render',
      'scene_image_pipeline',
    ] as const) {
      const now = requests(after, step);
      expect([...requests(before, step)].filter(([item, hash]) => now.get(item) !== hash)).toEqual([]);
      expect(now.size).toBeGreaterThan(requests(before, step).size);
    }
  });
});

describe('steps that do not apply', () => {
  it('leaves plans and backgrounds out where no place can be told, and still draws the shots', async () => {
    const run = await runPipeline('ANNA\nWell?\n\nBEN\nWell.\n');
    expect(loadWorldGuide(run.inputs).places).toEqual([]);
    expect([...run.calls.keys()]).toEqual(
      STEP_IDS.filter((id) => id !== 'floor_plan_render' && id !== 'background_render'),
    );
    expect(Object.values(await origins(run)).every((origin) => origin === 'clean')).toBe(true);
  });

  it('draws no shot where a person has switched all off, and outweighs the selection', async () => {
    const run = await runPipeline(LIGHTHOUSE);
    const shots = shotsOf(loadShotSelection(run.inputs)).map(({ shot }) => shot);
    const off = await runPipeline(LIGHTHOUSE, { shotSwitches: new Map(shots.map((shot) => [shot.shot_id, false])) });
    expect(off.calls.has('scene_image_pipeline')).toBe(false);
    const wasOff = shots.find((shot) => !shot.on)!;
    const on = await runPipeline(LIGHTHOUSE, { shotSwitches: new Map([[wasOff.shot_id, true]]) });
    expect([...requests(on, 'scene_image_pipeline').keys()]).toContain(wasOff.shot_id);
  });

  it('takes damage of a needed checkpoint for no reason to set a step aside', async () => {
    const run = await runPipeline(LIGHTHOUSE);
    for (const damaged of [undefined, null, [], {}, { scenes: null }, 'text'])
      for (const id of STEP_IDS) {
        const inputs = { ...run.inputs, rawCheckpoint: () => damaged };
        expect(STEPS[id].applies(inputs)).toBe(true);
      }
  });
});

describe('requests', () => {
  it('hold the prompt and card of the shot that a shot must look like, and never its image', async () => {
    const run = await runPipeline(LIGHTHOUSE);
    const calls = run.calls.get('scene_image_pipeline')!;
    const artifactsOf = (step: StepId): Set<unknown> =>
      new Set(
        [...run.items.get(step)!.values()].map((outcome) =>
          outcome.status === 'done' ? (outcome.result as { artifact: string }).artifact : null,
        ),
      );
    const [images, backgrounds] = [artifactsOf('scene_image_pipeline'), artifactsOf('background_render')];
    const liked = calls.filter(
      (call) => call.request.kind === 'image' && 'looks_like' in (call.request.card as object),
    );
    expect(liked.length).toBeGreaterThan(3);
    for (const { request } of calls) {
      if (request.kind !== 'image') throw new Error('not an image request');
      expect(request.references.every((artifact) => backgrounds.has(artifact) && !images.has(artifact))).toBe(true);
      expect(request.references).toHaveLength(1);
    }
  });

  it('say the same for another provider price, and differ for another style', async () => {
    const plain = requests(await runPipeline(LIGHTHOUSE), 'scene_image_pipeline');
    expect([
      ...requests(await runPipeline(LIGHTHOUSE, { config: { 'offline.priceUsd': 3 } }), 'scene_image_pipeline'),
    ]).toEqual([...plain]);
    const noir = requests(await runPipeline(LIGHTHOUSE, { config: { style: 'noir' } }), 'scene_image_pipeline');
    expect([...noir].filter(([item, hash]) => plain.get(item) === hash)).toEqual([]);
  });
});
