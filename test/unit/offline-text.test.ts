import fc from 'fast-check';
import { AppError } from '../../src/domain/errors';
import { answerOffline } from '../../src/providers/offline/text/answer';
import { castOf } from '../../src/providers/offline/text/cast';
import { sceneContent } from '../../src/pipeline/scene-content';
import { parseScreenplay } from '../../src/pipeline/screenplay/parse';
import type { StoryScene } from '../../src/providers/offline/text/story';
import { loadShotSelection, shotsOf } from '../../src/pipeline/shot-selection/schema';
import { loadT2iReview } from '../../src/pipeline/t2i-review/schema';
import { STEPS } from '../../src/pipeline/manifest';
import { runPipeline } from '../support/pipeline-runner';
import { LIGHTHOUSE, manyScenes, NIGHT_BUS, WEBTOON } from '../support/screenplays';

const storyOf = (text: string): StoryScene[] =>
  parseScreenplay(text, '').scenes.map((scene) => sceneContent(scene) as unknown as StoryScene);
const cast = (text: string): string[] => castOf(storyOf(text)).map((member) => member.name);

describe('the offline cast', () => {
  it('has each person once, by the name that dialogue uses, with age and other names', () => {
    expect(castOf(storyOf(LIGHTHOUSE))).toMatchObject([
      { name: 'WREN', aliases: ['WREN CALDER'], ageYears: 24 },
      { name: 'ABEL', aliases: ['ABEL ROOKE'], ageYears: 71, introduction: "keeper's cap" },
    ]);
    expect(cast(NIGHT_BUS)).toEqual(['도윤', '서하']);
    expect(cast(WEBTOON)).toEqual(['나비', '두식', '자판기']);
  });

  it('leaves out a voice that is never seen, everyone at once, and sounds in capitals', () => {
    const text =
      'INT. A - DAY\n\nThe phone RINGS. CRASH.\n\nRADIO (V.O.)\nStorm.\n\nMARA\nWhat?\n\nALL\nNothing.\n\nMARA (O.S.)\nYes.\n';
    expect(cast(text)).toEqual(['MARA']);
  });
});

describe('the offline review', () => {
  it.each([
    ['the English example', LIGHTHOUSE],
    ['the Korean example', NIGHT_BUS],
    ['a webtoon script', WEBTOON],
  ])(
    'finds at least two real faults in %s, with reasons, and nothing more once they are corrected',
    async (_what, text) => {
      const run = await runPipeline(text, { until: 't2i_review' });
      const { corrections } = loadT2iReview(run.inputs);
      expect(corrections.length).toBeGreaterThanOrEqual(2);
      for (const { reason } of corrections) expect(reason).toMatch(/\S{3,}.*\.$/);
      expect(run.edit!.changed).toHaveLength(corrections.length);
      const [again] = STEPS.t2i_review.calls(run.inputs);
      if (again?.request.kind !== 'text') throw new Error('not a text request');
      expect(answerOffline('t2i_review', again.request.input)).toEqual({ corrections: [] });
    },
  );

  it('corrects each kind of fault, and leaves a prompt that is right, or not of its form, alone', () => {
    const show = {
      subject: '',
      action: '',
      characters: ['MARA'],
      props: [],
      place: 'MILL',
      interior: 'INT',
      time_of_day: 'night',
    };
    const right =
      'Wide shot.\nIn frame: MARA.\nSetting: inside MILL.\nLight: night, pools of lamplight in the dark.\nMood: quiet.';
    const shots = [
      right,
      right.replace('night, pools of lamplight in the dark', 'bright even daylight'),
      right.replace('MARA', 'MARA; JOON'),
      right.replace('MARA', 'MARA; Christmas'),
      right.replace('MARA', 'nobody'),
      right.replace('inside MILL', 'outside, MILL'),
      'A prompt from another writer. It says day, and names nobody.',
    ].map((t2i_prompt, at) => ({ item_id: `S0_L0_V${at}`, must_show: show, t2i_prompt }));
    const answer = answerOffline('t2i_review', {
      cast: [
        { name: 'MARA', aliases: [] },
        { name: 'JOON', aliases: [] },
      ],
      entities: [],
      shots,
    }) as {
      corrections: { item_id: string; t2i_prompt: string; reason: string }[];
    };
    expect(answer.corrections.map(({ item_id: id, reason }) => [id, reason])).toEqual([
      ['S0_L0_V1', 'The scene is set at night, but the prompt lights it as day.'],
      ['S0_L0_V2', 'JOON is not in this shot.'],
      ['S0_L0_V3', '"Christmas" is nobody of the cast.'],
      ['S0_L0_V4', 'MARA belongs into this shot.'],
      ['S0_L0_V5', 'The prompt sets it outside, MILL, but the scene is inside MILL.'],
    ]);
    for (const { t2i_prompt: prompt } of answer.corrections) expect(prompt).toBe(right);
  });
});

describe('the offline shot list', () => {
  it('opens on the place, never repeats a size from shot to shot, and speaks only lines of the screenplay', async () => {
    const run = await runPipeline(LIGHTHOUSE, { until: 'shot_selection' });
    const selection = loadShotSelection(run.inputs);
    for (const scene of selection.scenes) {
      expect(['wide', 'extreme wide']).toContain(scene.shots[0]!.size);
      for (const [at, shot] of scene.shots.entries()) expect(shot.size).not.toBe(scene.shots[at - 1]?.size);
      for (const { caption } of scene.shots) expect(LIGHTHOUSE).toContain(caption);
    }
    const on = shotsOf(selection).filter(({ shot }) => shot.on).length;
    expect(on).toBeGreaterThanOrEqual(12);
    expect(on).toBeLessThanOrEqual(16);
  });

  it('keeps a long screenplay to one or two shots a scene, and at least one of each on', async () => {
    const run = await runPipeline(manyScenes(60), { until: 'shot_selection' });
    const { scenes } = loadShotSelection(run.inputs);
    const shots = scenes.flatMap((scene) => scene.shots);
    expect(shots.length).toBeGreaterThanOrEqual(60);
    expect(shots.length).toBeLessThanOrEqual(120);
    expect(scenes.every((scene) => scene.shots.some((shot) => shot.on))).toBe(true);
    expect(shots.filter((shot) => shot.on).length).toBeLessThanOrEqual(75);
  });

  it('tells people apart by their pronouns', async () => {
    const text =
      'INT. A - DAY\n\nMARA (30) enters, her coat wet.\n\nJOON (40) closes his book.\n\nMARA\nWell?\n\nJOON\nWell.\n\nShe laughs at the key.\n';
    const run = await runPipeline(text, { until: 'shot_selection' });
    const last = shotsOf(loadShotSelection(run.inputs)).at(-1)!.shot;
    expect(last).toMatchObject({ action: 'She laughs at the key.', characters: ['MARA'], props: ['key'] });
  });
});

function isWithoutScene(text: string): boolean {
  try {
    parseScreenplay(text, 'x');
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'screenplay.empty') return true;
    throw error;
  }
}

describe('answerOffline', () => {
  it('refuses a task that it does not know', () => {
    for (const task of ['poem', 'toString', '__proto__']) expect(() => answerOffline(task, {})).toThrow(RangeError);
  });

  it('carries any text through the whole pipeline, and gives the same again', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        'INT. X - NIGHT',
        '',
        'ANNA',
        '[장면 1] 실외. 옥상 - 밤',
        '하람: "응"',
        '> CUT TO:',
        '</script>${x}',
        '@x',
        '.',
        '[[',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
        const text = lines.join('\n').replace(/[\u0000-\u001f]/g, '\n'); // eslint-disable-line no-control-regex -- decodeScreenplay refuses them
        if (isWithoutScene(text)) return;
        const run = await runPipeline(text);
        expect((await runPipeline(text)).bodies).toEqual(run.bodies);
        for (const [id] of run.calls) {
          const report = await STEPS[id].verify({
            inputs: run.inputs,
            body: run.bodies.get(id),
            artifacts: run.artifacts,
          });
          expect(report.origin).toBe('clean');
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
