import fc from 'fast-check';
import sharp from 'sharp';
import type { Json } from '../../src/domain/json';
import { probeImage } from '../../src/images/probe';
import { drawPicture } from '../../src/providers/offline/artist/draw';

const CARD = {
  shot_size: 'medium',
  camera: 'slow push in',
  subject: 'Margit',
  characters: [
    { name: 'MARGIT', position: 'left', description: '58, cardigan' },
    { name: 'TEO', position: 'right', description: '34' },
  ],
  props: ['kettle'],
  place: 'NOTARY OFFICE',
  interior: 'INT',
  time_of_day: 'morning',
  mood: 'tense',
  palette: ['copper', 'grey'],
  caption: '',
  speaker: '',
  action: '',
  scene_heading: 'INT. NOTARY OFFICE - MORNING',
};

const SIZE = { width: 512, height: 288 };

function draw(
  card: Json,
  change: { task?: string; style?: string; prompt?: string; width?: number; height?: number } = {},
): Promise<Uint8Array> {
  return drawPicture({ task: 'shot', style: 'ink wash storyboard', prompt: 'a prompt', ...SIZE, ...change, card });
}

async function region(
  bytes: Uint8Array,
  box: { left: number; top: number; width: number; height: number },
): Promise<Buffer> {
  return sharp(bytes).extract(box).raw().toBuffer();
}

/** How many of the pixels of two regions differ. */
function difference(first: Buffer, second: Buffer): number {
  let count = 0;
  for (let at = 0; at < first.length; at += 3) if (Math.abs((first[at] ?? 0) - (second[at] ?? 0)) > 24) count += 1;
  return count;
}

/** The bar below the picture with one line of words, without the speaker. */
const BAR = { left: 12, top: 266, width: 488, height: 18 };

describe('the offline artist', () => {
  it('draws the same bytes for the same card, and so an answer is never two', async () => {
    const first = await draw(CARD);
    await draw({ ...CARD, place: 'HARBOUR', interior: 'EXT' });
    expect(Buffer.compare(first, await draw(structuredClone(CARD)))).toBe(0);
    expect(Buffer.compare(first, await draw(CARD, { prompt: 'another prompt' }))).toBe(0);
  });

  it('draws the same bytes also while other pictures are on the board', async () => {
    const alone = await draw(CARD);
    const [among] = await Promise.all([
      draw(CARD),
      draw({ ...CARD, shot_size: 'wide' }),
      draw({}, { task: 'background' }),
      draw({}, { task: 'floor_plan' }),
    ]);
    expect(Buffer.compare(alone, among)).toBe(0);
  });

  it.each([['shot'], ['background'], ['floor_plan']])('answers a whole PNG of the size asked for: %s', async (task) => {
    for (const [width, height] of [
      [512, 288],
      [288, 512],
      [10, 10],
      [600, 40],
    ] as const)
      expect(await probeImage(await draw(CARD, { task, width, height }))).toEqual({
        ok: true,
        width,
        height,
        contentType: 'image/png',
      });
  });

  it('draws another person for another name, and the same one for the name in another Unicode form', async () => {
    const portrait = (name: string) =>
      draw({ ...CARD, shot_size: 'close-up', characters: [{ name, position: '', description: '' }] });
    const face = { left: 150, top: 40, width: 220, height: 150 };
    const haram = await region(await portrait('하람'), face);
    expect(difference(haram, await region(await portrait('모란'), face))).toBeGreaterThan(2000);
    expect(difference(haram, await region(await portrait('하람'.normalize('NFD')), face))).toBeLessThan(400);
  });

  it('draws another light at another time of day, and another place for another place', async () => {
    const sky = { left: 60, top: 30, width: 400, height: 60 };
    const at = async (change: object) =>
      region(await draw({ ...CARD, ...change, characters: [], shot_size: 'wide', interior: 'EXT' }), sky);
    const day = await at({ place: 'HARBOUR', time_of_day: 'day' });
    expect(difference(day, await at({ place: 'HARBOUR', time_of_day: 'night' }))).toBeGreaterThan(15_000);
    expect(difference(day, await at({ place: 'FOREST', time_of_day: 'day' }))).toBeGreaterThan(1000);
  });

  it('letters Korean, not boxes: two captions of equal length differ in their glyphs', async () => {
    const bar = async (caption: string) => region(await draw({ ...CARD, caption, speaker: '' }), BAR);
    const blank = await bar(' \u200b.');
    const first = await bar('가나다라마바사');
    expect(difference(first, blank)).toBeGreaterThan(100);
    // Empty boxes would be the same boxes in both.
    expect(difference(first, await bar('뷁쀍힣궯뛟쳇휗'))).toBeGreaterThan(100);
  });

  it('leaves emoji out and keeps the words around them', async () => {
    const bar = async (caption: string) => region(await draw({ ...CARD, caption, speaker: '' }), BAR);
    expect(difference(await bar('덜컹— 😮‍💨👨‍👩‍👧🇰🇷 파닥파닥✨'), await bar('덜컹— 파닥파닥'))).toBeLessThan(60);
  });

  it('changes ink and palette with the style', async () => {
    const [wash, noir] = [await draw(CARD), await draw(CARD, { style: 'film noir' })];
    const colourful = async (bytes: Uint8Array) => {
      const pixels = await sharp(bytes).raw().toBuffer();
      let sum = 0;
      for (let at = 0; at < pixels.length; at += 3) sum += Math.abs((pixels[at] ?? 0) - (pixels[at + 2] ?? 0));
      return sum;
    };
    expect(await colourful(noir)).toBeLessThan((await colourful(wash)) / 3);
  });

  it('draws odd cards without a throw: whatever a model or a person put there', async () => {
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'close-up',
        'insert',
        '클로즈업',
        'over the shoulder',
        '우체통',
        '비',
        'INT',
        'night',
        '\ud800',
        '👨‍👩‍👧',
        'א'.repeat(300),
      ),
      fc.string({ unit: 'binary' }),
    );
    const value: fc.Arbitrary<Json> = fc.oneof(
      words,
      fc.constant(null),
      fc.double(),
      fc.boolean(),
      fc.array(words, { maxLength: 3 }),
      fc.dictionary(fc.string(), words, { maxKeys: 2 }),
    );
    const person = fc.oneof(
      value,
      fc.record({ name: value, position: value, description: value, expression: value }, { requiredKeys: [] }),
    ) as fc.Arbitrary<Json>;
    const fields = Object.fromEntries(
      Object.keys(CARD).map((key) => [
        key,
        key === 'characters' ? fc.oneof(value, fc.array(person, { maxLength: 14 })) : value,
      ]),
    );
    const card = fc.oneof(value, fc.record(fields, { requiredKeys: [] })) as fc.Arbitrary<Json>;
    await fc.assert(
      fc.asyncProperty(
        card,
        fc.constantFrom('shot', 'background', 'floor_plan', 'unheard of'),
        words,
        async (odd, task, style) => {
          const bytes = await draw(odd, { task, style, width: 160, height: 90 });
          expect(await probeImage(bytes)).toMatchObject({ ok: true, width: 160, height: 90 });
        },
      ),
      { numRuns: 60 },
    );
  });
});
