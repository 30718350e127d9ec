import { z } from 'zod';
import { readJsonAnswer } from '../../src/pipeline/answers/json-answer';
import type { Json } from '../../src/domain/json';
import { STEPS } from '../../src/pipeline/manifest';
import type { StepId } from '../../src/domain/steps';
import { answerOffline } from '../../src/providers/offline/text/answer';
import { listIn, type Loose } from '../support/loose';
import { runPipeline, textAnswer, type PipelineRun } from '../support/pipeline-runner';
import { LIGHTHOUSE } from '../support/screenplays';

const schema = z.object({ text: z.string() });
const read = (content: string): ReturnType<typeof readJsonAnswer<{ text: string }>> =>
  readJsonAnswer(textAnswer(content), schema);

describe('readJsonAnswer', () => {
  it('takes perfect JSON within one fence and words around it, with one call', () => {
    expect(read('Here it is:\n```json\n{"text":"a"}\n```\nHope this helps!')).toEqual({
      ok: true,
      value: { text: 'a' },
    });
  });

  it('leaves three backticks inside a text byte for byte', () => {
    const text = 'He writes ```json\n{"x":1}\n``` on the wall.';
    expect(read(JSON.stringify({ text }))).toEqual({ ok: true, value: { text } });
    expect(read(`\`\`\`json\n${JSON.stringify({ text })}\n\`\`\``)).toEqual({ ok: true, value: { text } });
  });

  it.each([
    ['cut in the middle', '{"text":"a'],
    ['two objects', '{"text":"a"}{"text":"b"}'],
    ['two fenced objects', '```json\n{"text":"a"}\n```\n```json\n{"text":"b"}\n```'],
    ['a trailing comma', '{"text":"a",}'],
    ['nothing', '  '],
    ['a page', '<html></html>'],
    ['another shape', '{"text":7}'],
    ['a list', '[{"text":"a"}]'],
  ])('refuses %s and repairs nothing', (_what, content) => expect(read(content)).toMatchObject({ ok: false }));

  it('takes out what PostgreSQL cannot store, in texts and keys, by its written rule', () => {
    expect(read('{"te\\u0000xt":"a\\u0000b \\ud800 😀"}')).toEqual({ ok: true, value: { text: 'ab \ufffd 😀' } });
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(
      readJsonAnswer({ content: new Uint8Array([0xff, 0x7b]), contentType: '', artifact: '' }, schema),
    ).toMatchObject({ ok: false });
  });
});

describe('readers of the steps', () => {
  let run: PipelineRun;
  beforeAll(async () => {
    run = await runPipeline(LIGHTHOUSE);
  });

  const call = (step: StepId, at = 0): { input: Json; read: (content: Json) => Promise<unknown> } => {
    const found = STEPS[step].calls(run.inputs)[at]!;
    if (found.request.kind !== 'text') throw new Error('not a text step');
    return { input: found.request.input, read: (content) => found.read(textAnswer(content)) };
  };
  const answerOf = (step: StepId, at = 0): Loose => structuredClone(answerOffline(step, call(step, at).input)) as Loose;

  it('shot_selection: a scene left out, twice or unknown makes the answer invalid', async () => {
    const [left, twice, unknown] = [answerOf('shot_selection'), answerOf('shot_selection'), answerOf('shot_selection')];
    listIn(left, 'scenes').pop();
    listIn(twice, 'scenes').push(listIn(twice, 'scenes')[0]!);
    unknown['scenes'][0].scene = '../../12';
    expect(await call('shot_selection').read(left as Json)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('lacks 1 of 5'),
    });
    expect(await call('shot_selection').read(twice as Json)).toMatchObject({ ok: false });
    expect(await call('shot_selection').read(unknown as Json)).toMatchObject({ ok: false, unknownItem: true });
  });

  it('shot_selection: keeps only the cast, under its own names, and makes ids itself', async () => {
    const answer = answerOf('shot_selection');
    Object.assign(answer['scenes'][0].shots[0], { characters: ['wren calder', 'A STRANGER'], shot_id: '../../x' });
    const result = (await call('shot_selection').read(answer)) as { results: { all: Loose } };
    expect(result.results.all['scenes'][0].shots[0]).toMatchObject({
      characters: ['WREN'],
      shot_id: `${run.inputs.screenplay.scenes[0]!.id}-1`,
    });
  });

  it('scene_detail: a shot left out, twice or unknown makes the answer invalid; the order does not matter', async () => {
    const [left, twice, unknown, turned] = [
      answerOf('scene_detail', 1),
      answerOf('scene_detail', 1),
      answerOf('scene_detail', 1),
      answerOf('scene_detail', 1),
    ];
    listIn(left, 'variations').pop();
    listIn(twice, 'variations').push(listIn(twice, 'variations')[0]!);
    unknown['variations'][0].shot = 'S1_L1_V0';
    expect(await call('scene_detail', 1).read(left as Json)).toMatchObject({ ok: false });
    expect(await call('scene_detail', 1).read(twice as Json)).toMatchObject({ ok: false });
    expect(await call('scene_detail', 1).read(unknown as Json)).toMatchObject({ ok: false, unknownItem: true });
    const straight = await call('scene_detail', 1).read(answerOf('scene_detail', 1));
    listIn(turned, 'variations').reverse();
    expect(await call('scene_detail', 1).read(turned as Json)).toEqual(straight);
  });

  it('shot_dependency_t2i: a shot may look only like an earlier one; one left out depends on none', async () => {
    const [later, left] = [answerOf('shot_dependency_t2i'), answerOf('shot_dependency_t2i')];
    later['dependencies'][0].looks_like = later['dependencies'][1].shot;
    listIn(left, 'dependencies').splice(1, 1);
    expect(await call('shot_dependency_t2i').read(later as Json)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('not earlier'),
    });
    const result = (await call('shot_dependency_t2i').read(left)) as { results: { all: Loose } };
    expect(result.results.all['dependencies'][1]).toMatchObject({ looks_like: null });
  });

  it('world_guide: joins two Unicode forms of one name, and adds the places that a model forgot', async () => {
    const answer = answerOf('world_guide');
    answer['characters'] = [
      { name: '하람'.normalize('NFD'), aliases: [], description: 'a' },
      { name: '하람', aliases: [], description: 'b' },
    ];
    answer['places'] = [];
    const result = (await call('world_guide').read(answer)) as { results: { all: Loose } };
    expect(listIn(result.results.all, 'characters').map((one) => one['name'] as string)).toEqual(['하람']);
    expect(listIn(result.results.all, 'places').map((one) => one['name'] as string)).toEqual([
      'STONE PIER',
      'LIGHTHOUSE, LAMP ROOM',
      'LIGHTHOUSE GALLERY',
    ]);
  });

  it('image steps: a page, a cut file and another size are invalid and asked again', async () => {
    const image = STEPS.scene_image_pipeline.calls(run.inputs)[0]!;
    expect(await image.read(textAnswer('<html></html>'))).toMatchObject({ ok: false });
    const onePixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    expect(await image.read({ content: onePixel, contentType: 'image/png', artifact: 'x' })).toMatchObject({
      ok: false,
      reason: 'The image is 1x1 and not 1024x576.',
    });
    expect(
      await image.read({ content: onePixel.subarray(0, 50), contentType: 'image/png', artifact: 'x' }),
    ).toMatchObject({ ok: false });
  });
});
