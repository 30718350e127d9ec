import { type AppError } from '../../src/domain/errors';
import { ID_PATTERN } from '../../src/domain/ids';
import { parseScreenplay } from '../../src/pipeline/screenplay/parse';
import type { Screenplay } from '../../src/pipeline/screenplay/screenplay';
import { LIGHTHOUSE, manyScenes, WEBTOON } from '../support/screenplays';

const speakers = ({ scenes }: Screenplay): string[] => [
  ...new Set(
    scenes.flatMap((scene) =>
      scene.elements.flatMap((element) => (element.kind === 'dialogue' ? [element.speaker] : [])),
    ),
  ),
];

describe('parseScreenplay: Fountain', () => {
  const lighthouse = parseScreenplay(LIGHTHOUSE, 'fallback');

  it('reads title, scenes, dialogue with extensions, and transitions', () => {
    expect(lighthouse).toMatchObject({ title: 'The Last Lamp', language: 'en' });
    expect(lighthouse.scenes.map((scene) => [scene.interior, scene.place, scene.timeOfDay])).toEqual([
      ['EXT', 'STONE PIER', 'dusk'],
      ['INT', 'LIGHTHOUSE, LAMP ROOM', 'night'],
      ['EXT', 'LIGHTHOUSE GALLERY', 'night'],
      ['INT', 'LIGHTHOUSE, LAMP ROOM', 'night'],
      ['EXT', 'STONE PIER', 'dawn'],
    ]);
    expect(speakers(lighthouse)).toEqual(['WREN', 'ABEL']);
    expect(lighthouse.scenes[4]!.elements.at(-1)).toEqual({ kind: 'transition', text: 'FADE OUT.' });
  });

  it('takes out boneyard and notes, also over several lines, and keeps what an unclosed one would swallow', () => {
    const { scenes } = parseScreenplay(
      'INT. A - DAY\n\nOne /* gone\n\nstill gone */ two.\n\n[[note]]\n\nThree /* not closed.\n',
      '',
    );
    expect(scenes[0]!.elements.map((element) => element.text).join(' ')).toBe('One\ntwo. Three /* not closed.');
  });

  it('obeys forced elements: heading, cue, action, transition; and shows emphasis as plain text', () => {
    const { scenes } = parseScreenplay(
      '.THE VOID\n\n!INT. NOT A HEADING\n\n@McAvoy\n_Quite_ **so**, 2 * 3 * 4.\n\n> IRIS IN\n\n> centred <\n',
      '',
    );
    expect(scenes).toHaveLength(1);
    expect(scenes[0]!.elements).toEqual([
      { kind: 'action', text: 'INT. NOT A HEADING' },
      { kind: 'dialogue', speaker: 'McAvoy', text: 'Quite so, 2 * 3 * 4.' },
      { kind: 'transition', text: 'IRIS IN' },
      { kind: 'action', text: 'centred' },
    ]);
  });

  it('joins cue extensions to one speaker, and says how a line is said', () => {
    const { scenes } = parseScreenplay(
      "INT. A - DAY\n\nSUNNY (ON RADIO)\n(softly)\nYes.\n\nSUNNY (CONT'D)\nNo.\n\nSUNNY ^\nAt once.\n",
      '',
    );
    expect(scenes[0]!.elements).toEqual([
      { kind: 'dialogue', speaker: 'SUNNY', text: 'Yes.', parenthetical: 'ON RADIO, softly' },
      { kind: 'dialogue', speaker: 'SUNNY', text: 'No.' },
      { kind: 'dialogue', speaker: 'SUNNY', text: 'At once.' },
    ]);
  });

  it('finds cues with capitals outside ASCII', () => {
    expect(speakers(parseScreenplay('INT. BÜRO - TAG\n\nJÜRGEN\nGuten Tag.\n\nÉLODIE\nBonjour.\n', ''))).toEqual([
      'JÜRGEN',
      'ÉLODIE',
    ]);
  });

  it('keeps scenes with the same number apart, and gives the number back', () => {
    const { scenes } = parseScreenplay('INT. A - DAY #1#\n\nOne.\n\nINT. B - DAY #1#\n\nTwo.\n', '');
    expect(scenes.map((scene) => scene.number)).toEqual(['1', '1']);
    expect(new Set(scenes.map((scene) => scene.id)).size).toBe(2);
  });

  it('drops sections and synopses, and makes one scene of a bare label and its slug', () => {
    const { scenes } = parseScreenplay('# ACT ONE\n\n= What happens\n\nSCENE 1\n\nINT. A - DAY\n\nText.\n', '');
    expect(scenes).toHaveLength(1);
    expect(scenes[0]).toMatchObject({
      number: '1',
      heading: 'INT. A - DAY',
      elements: [{ kind: 'action', text: 'Text.' }],
    });
  });

  it('keeps text before the first heading as a scene, and drops a mere FADE IN', () => {
    expect(parseScreenplay('FADE IN:\n\nINT. A - DAY\n\nText.\n', '').scenes).toHaveLength(1);
    expect(parseScreenplay('A prologue.\n\nINT. A - DAY\n\nText.\n', '').scenes.map((scene) => scene.heading)).toEqual([
      'A prologue.',
      'INT. A - DAY',
    ]);
  });
});

describe('parseScreenplay: webtoon scripts', () => {
  const webtoon = parseScreenplay(WEBTOON, 'fallback');

  it('reads headings in brackets, and each speaker once, without panels, sounds and narration', () => {
    expect(webtoon).toMatchObject({ title: '고양이 세무사', language: 'ko' });
    expect(webtoon.scenes.map((scene) => [scene.number, scene.interior, scene.place, scene.timeOfDay])).toEqual([
      ['1', 'INT', '좁은 사무실', 'morning'],
      ['2', 'EXT', '골목', 'night'],
    ]);
    expect(speakers(webtoon)).toEqual(['나비', '두식', '자판기']);
  });

  it('keeps quotes and emoji byte for byte', () => {
    const texts = webtoon.scenes.flatMap((scene) => scene.elements.map((element) => element.text));
    expect(texts).toEqual(
      expect.arrayContaining([
        '"올해는… 봐주지 않겠습니다." 😼',
        '「저, 고양이 맞으시죠?」',
        '“동전은 공제가 안 돼.”',
        "'고양이가 세무사 자격증을… 진짜로?'",
      ]),
    );
  });

  it('takes a short line without capitals as a cue where the script repeats it', () => {
    const text = '실내. 방 - 밤\n\n민지\n왔어?\n\n비가 온다.\n창이 흔들린다.\n\n민지\n추워.\n';
    const { scenes } = parseScreenplay(text, '');
    expect(scenes[0]!.elements.map((element) => element.kind)).toEqual(['dialogue', 'action', 'dialogue']);
  });
});

describe('parseScreenplay: text that is hard to read', () => {
  it('makes one scene of each block where there is no heading', () => {
    const { scenes } = parseScreenplay('A man waits.\nHe is cold.\n\nThe bus comes.\n\n\n\nIt is empty.', 'Waiting');
    expect(scenes.map((scene) => scene.heading)).toEqual([
      'A man waits. He is cold.',
      'The bus comes.',
      'It is empty.',
    ]);
    expect(scenes.every((scene) => scene.interior === 'UNKNOWN' && scene.place === '' && scene.timeOfDay === '')).toBe(
      true,
    );
  });

  it('reads a text of dialogue alone', () => {
    const { scenes } = parseScreenplay('ANNA\nWell?\n\nBEN\nWell.\n', 'Talk');
    expect(scenes).toHaveLength(2);
    expect(scenes.flatMap((scene) => scene.elements)).toEqual([
      { kind: 'dialogue', speaker: 'ANNA', text: 'Well?' },
      { kind: 'dialogue', speaker: 'BEN', text: 'Well.' },
    ]);
  });

  it('gives the fallback title where there is none', () =>
    expect(parseScreenplay('Only this.', 'file-name').title).toBe('file-name'));

  it.each(['Title: Alone\nAuthor: Nobody\n', '/* all of it */', 'FADE IN:\n\nFADE OUT.\n'])(
    'says that %j holds no scene',
    (text) => {
      expect(() => parseScreenplay(text, '')).toThrow(
        expect.objectContaining({ code: 'screenplay.empty' }) as AppError,
      );
    },
  );

  it('carries markup, template marks, right-to-left text and emoji through as text', () => {
    const odd = 'He writes ${process.exit()} and </script><img src=x onerror=alert(1)> שלום 🕊️.';
    expect(parseScreenplay(`INT. A - DAY\n\n${odd}\n`, '').scenes[0]!.elements).toEqual([
      { kind: 'action', text: odd },
    ]);
  });

  it('reads half a megabyte, with or without blank lines and with unclosed marks, without a pattern that runs away', () => {
    const before = process.cpuUsage();
    parseScreenplay(manyScenes(4000), '');
    parseScreenplay(`INT. A - DAY\n\n${'/* [[ '.repeat(80_000)}`, '');
    parseScreenplay(`INT. A - DAY\n\nMARA\n${'word _word_ *word '.repeat(30_000)}\n`, '');
    const { user } = process.cpuUsage(before);
    // Processor time of this process, not the wall clock: linear work takes well under a second here, a runaway pattern minutes.
    expect(user / 1_000_000).toBeLessThan(20);
  });
});

describe('scene ids', () => {
  it('come from content: a scene put at the front, and new numbers, leave the others alone', () => {
    const before = parseScreenplay('INT. A - DAY #1#\n\nOne.\n\nINT. B - DAY #2#\n\nTwo.\n', '');
    const after = parseScreenplay(
      'INT. NEW - DAY #1#\n\nZero.\n\nINT. A - DAY #2#\n\nOne.\n\nINT. B - DAY #3#\n\nTwo.\n',
      '',
    );
    expect(after.scenes.slice(1).map((scene) => scene.id)).toEqual(before.scenes.map((scene) => scene.id));
  });

  it('tell identical scenes apart, and match the pattern of ids', () => {
    const { scenes } = parseScreenplay('INT. A - DAY\n\nSame.\n\nINT. A - DAY\n\nSame.\n\nINT. A - DAY\n\nSame.\n', '');
    expect(scenes.map((scene) => scene.id.replace(/^s[0-9a-f]{10}/, ''))).toEqual(['', '-2', '-3']);
    for (const scene of scenes) expect(scene.id).toMatch(ID_PATTERN);
  });
});
