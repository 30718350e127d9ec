import { answerOffline } from '../../src/providers/offline/text/answer';
import type { Json } from '../../src/domain/json';
import { hashOf } from '../../src/hash';
import { putEpisode } from '../../src/operations/put-episode';
import type { ProviderRequest, TextRequest } from '../../src/providers/port';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { bodyOf, detailOf, statusesOf } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** Text that has broken other systems (spec 20, cases C07 and C50): kept or refused with a code, never half stored. */
let database: TestDatabase;
let studio: Studio;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});
beforeEach(() => {
  for (const task of ['world_guide', 'shot_selection', 'scene_detail', 't2i_review']) studio.answer(task, null);
});

const TEXT_STEPS = ['world_guide', 'shot_selection', 'entity_t2i', 'scene_detail', 'shot_dependency_t2i', 't2i_review'];

const answerOf = (request: ProviderRequest): Json =>
  answerOffline((request as TextRequest).task, JSON.parse(JSON.stringify((request as TextRequest).input)) as Json);

/** The offline answer, every prompt of it with a text put in front. */
const promptsWith = (nasty: string) => (request: ProviderRequest) => {
  const { variations } = answerOf(request) as unknown as { variations: { t2i_prompt: string }[] };
  return {
    variations: variations.map((one) => ({ ...one, t2i_prompt: `${nasty} ${one.t2i_prompt}` })),
  } as unknown as Json;
};

const KEPT: readonly (readonly [what: string, text: string, stored: string])[] = [
  ['emoji of several code points', '👩‍👩‍👧‍👦🇰🇷🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩‍👩‍👧‍👦🇰🇷🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['composed Hangul', '하람'.normalize('NFC'), '하람'.normalize('NFC')],
  ['decomposed Hangul', '하람'.normalize('NFD'), '하람'.normalize('NFD')],
  ['a template', '${process.env.HOME} {{7*7}} #{x} <%= y %>', '${process.env.HOME} {{7*7}} #{x} <%= y %>'],
  ['the end of a script', '</script><img src=x onerror=alert(1)>', '</script><img src=x onerror=alert(1)>'],
  [
    'quotes and backslashes',
    `"'\`\\ \\u0000 \\n '; DROP TABLE step_run; --`,
    `"'\`\\ \\u0000 \\n '; DROP TABLE step_run; --`,
  ],
  ['line separators and direction marks', '\u2028\u2029\u202Eabc\u202C\u200B', '\u2028\u2029\u202Eabc\u202C\u200B'],
  ['terminal escapes', '\u001b[31mred\u001b[0m\u0007', '\u001b[31mred\u001b[0m\u0007'],
  ['NUL, which is taken out', 'A\u0000B', 'AB'],
  ['a lone surrogate, which becomes U+FFFD', 'A\ud800B\udc00C', 'A\ufffdB\ufffdC'],
];

describe('in what a model answers', () => {
  it.each(KEPT)(
    '%s is stored as it is meant to be, verifies after the round trip, and is bought once',
    async (_what, text, stored) => {
      studio.answer('scene_detail', promptsWith(text));
      studio.answer('t2i_review', () => ({
        corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: `corrected ${text}`, reason: text }],
      }));
      const episode = await studio.episode();
      studio.soldSince();
      const run = await runStudio(studio, episode, { steps: TEXT_STEPS });
      expect(run.ends).toMatchObject({ scene_detail: 'completed', t2i_review: 'completed' });
      const variations = (await detailOf(database.db, episode)).scenes.flatMap((scene) => scene.t2i_variations);
      expect(variations[0]!.t2i_prompt).toBe(`corrected ${stored}`);
      expect(variations[1]!.t2i_prompt.startsWith(`${stored} `)).toBe(true);
      for (const one of variations) expect(one.owned_validation.t2i_prompt_hash).toBe(hashOf(one.t2i_prompt));
      const sold = studio.soldSince();
      expect(sold['scene_detail']).toHaveLength(3);
      const again = await runStudio(studio, episode, { steps: TEXT_STEPS });
      expect(again.opened.outcome).toBe('nothing');
      expect(studio.soldSince()).toEqual({});
    },
  );

  it('a NUL in a key hides nothing: the answer is read without it', async () => {
    studio.answer('world_guide', (request) => {
      const { setting: _setting, ...rest } = answerOf(request) as { readonly [key: string]: Json };
      return { ...rest, 'set\u0000ting': 'a \u0000kitchen' };
    });
    const episode = await studio.episode();
    const run = await runStudio(studio, episode, { steps: ['world_guide'] });
    expect(run.ends).toEqual({ world_guide: 'completed' });
    expect(await bodyOf(database.db, episode, 'world_guide')).toMatchObject({ setting: 'a kitchen' });
  });

  it.each([
    ['bytes that are no UTF-8', () => Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['JSON that is cut', () => new TextEncoder().encode('{"variations":[{"shot":"a')],
    ['a prompt of 10 MB', (request: ProviderRequest) => promptsWith('x'.repeat(10 * 1024 * 1024))(request)],
    ['a million brackets', () => new TextEncoder().encode('['.repeat(1_000_000))],
    [
      'lists within lists, a hundred thousand deep',
      () => new TextEncoder().encode(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    ],
  ])(
    '%s is refused with a code, counted as charged, and nothing of it is stored',
    async (_what, answer) => {
      studio.answer('scene_detail', answer);
      const episode = await studio.episode();
      const run = await runStudio(studio, episode, { steps: TEXT_STEPS });
      expect(run.ends).toMatchObject({ entity_t2i: 'completed', scene_detail: 'failed' });
      const row = await database.db
        .selectFrom('step_run')
        .selectAll()
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', 'scene_detail')
        .executeTakeFirstOrThrow();
      expect(row.error_message).toMatch(/provider\.invalid_answer/);
      expect(row.error_message!.length).toBeLessThan(5_000);
      expect(row).toMatchObject({ status: 'failed', completed_count: 0 });
      const purchases = await database.db
        .selectFrom('purchase')
        .select('status')
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', 'scene_detail')
        .execute();
      expect(new Set(purchases.map(({ status }) => status))).toEqual(new Set(['invalid']));
      const kept = await database.db
        .selectFrom('item_result')
        .select('status')
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', 'scene_detail')
        .execute();
      expect(kept.every(({ status }) => status === 'failed')).toBe(true);

      studio.answer('scene_detail', null);
      const mended = await runStudio(studio, episode, { steps: TEXT_STEPS });
      expect(mended.ends).toMatchObject({ scene_detail: 'completed', t2i_review: 'completed' });
    },
    120_000,
  );

  it('10 MB where a long text is allowed are kept whole, in one version, and verify', async () => {
    const long = '한'.repeat(3_500_000);
    studio.answer('world_guide', (request) => ({
      ...(answerOf(request) as { readonly [key: string]: Json }),
      tone: `${long} end`,
    }));
    const episode = await studio.episode();
    const run = await runStudio(studio, episode, { steps: ['world_guide'] });
    expect(run.ends).toEqual({ world_guide: 'completed' });
    expect((await bodyOf<{ tone: string }>(database.db, episode, 'world_guide')).tone).toBe(`${long} end`);
    expect((await runStudio(studio, episode, { steps: ['world_guide'] })).opened.outcome).toBe('nothing');
  }, 120_000);
});

describe('in a screenplay', () => {
  const script = (name: string, line: string) =>
    `Title: ${line}\n\nINT. KITCHEN - DAY\n\n${name} waits. ${line}\n\n${name}\n${line}\n`;

  it('emoji, templates, markup and quotes are kept, letter by letter, through to the prompts', async () => {
    const line = '👩‍👧 ${HOME} </script> “quoted” ‘inner’ \\ "straight"';
    const episode = await studio.episode(script('MARA', line));
    await runStudio(studio, episode, { steps: TEXT_STEPS });
    const { screenplay, title } = await database.db
      .selectFrom('episode')
      .select(['screenplay', 'title'])
      .where('project_id', '=', episode.projectId)
      .executeTakeFirstOrThrow();
    expect(screenplay).toContain(line);
    expect(title).toContain('👩‍👧 ${HOME} </script>');
    expect(await statusesOf(database.db, episode)).toMatchObject({ t2i_review: 'completed' });
    expect((await runStudio(studio, episode, { steps: TEXT_STEPS })).opened.outcome).toBe('nothing');
  });

  it('composed and decomposed letters are one text: put again in the other form, every step is skipped', async () => {
    const text = script('하람', '모란이 웃는다. 우체통!');
    const episode = await studio.episode(text.normalize('NFC'));
    await runStudio(studio, episode, { steps: TEXT_STEPS });
    studio.soldSince();
    const put = await putEpisode(studio.deps, {
      ...episode,
      fileName: 'a.txt',
      bytes: Buffer.from(text.normalize('NFD')),
      by: 'test',
    });
    expect(put).toMatchObject({ changed: false });
    expect((await runStudio(studio, episode, { steps: TEXT_STEPS })).opened.outcome).toBe('nothing');
    expect(studio.soldSince()).toEqual({});
  });

  it.each([
    ['NUL', Buffer.from('INT. KITCHEN - DAY\n\nMara\u0000 waits.\n')],
    ['half a surrogate pair', Buffer.from([0x49, 0x4e, 0x54, 0x2e, 0xed, 0xa0, 0x80])],
    ['bytes of a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('%s is refused with a code, and the episode keeps what it had', async (_what, bytes) => {
    const episode = await studio.episode();
    const before = await database.db
      .selectFrom('episode')
      .selectAll()
      .where('project_id', '=', episode.projectId)
      .executeTakeFirstOrThrow();
    await expect(putEpisode(studio.deps, { ...episode, fileName: 'a.txt', bytes, by: 'test' })).rejects.toMatchObject({
      code: 'screenplay.not_text',
    });
    expect(
      await database.db
        .selectFrom('episode')
        .selectAll()
        .where('project_id', '=', episode.projectId)
        .executeTakeFirstOrThrow(),
    ).toEqual(before);
  });
});
