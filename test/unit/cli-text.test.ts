import fc from 'fast-check';
import { columnsOf, cutTo, plainLine, plainLines, wrapTo } from '../../src/cli/plain-text';

const ESC = '\u001b';

describe('text of data on a terminal', () => {
  test.each([
    ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['a title that is set', `a${ESC}]0;owned\u0007b`, 'ab'],
    ['a link', `${ESC}]8;;http://x${ESC}\\here${ESC}]8;;${ESC}\\`, 'here'],
    ['8-bit CSI', '\u009b2Jgone', 'gone'],
    ['a carriage return that would overwrite', 'safe\rEVIL', 'safe EVIL'],
    ['backspaces', 'abc\b\b\bxyz', 'abcxyz'],
    ['marks that turn the direction', 'a\u202ecba\u202c', 'acba'],
    ['NUL and DEL', 'a\u0000b\u007fc', 'abc'],
    ['line breaks of all kinds', 'a\r\nb\u2028c\td', 'a b c d'],
  ])('loses %s and keeps the words', (_what, text, plain) => {
    expect(plainLine(text)).toBe(plain);
  });

  test('an escape sequence without an end hides nothing after it', () => {
    expect(plainLine(`before ${ESC}]0;after`)).toBe('before 0;after');
  });

  test('Korean, emoji and combining letters stay as they are', () => {
    expect(plainLine('하람 “안녕” 👩‍👩‍👧 é')).toBe('하람 “안녕” 👩‍👩‍👧 é');
  });

  test('no text whatever brings a control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = plainLine(text) + plainLines(text).join('');
        // eslint-disable-next-line no-control-regex -- this is the promise
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  test('lines keep their indents', () => {
    expect(plainLines(`{\n  "a": "${ESC}[2J"\n}`)).toEqual(['{', '  "a": ""', '}']);
  });
});

describe('fitting into columns', () => {
  test('a Korean letter takes two columns and is never cut in half', () => {
    expect(columnsOf('하람')).toBe(4);
    expect(cutTo('하람모란', 6)).toBe('하람…');
    expect(columnsOf(cutTo('하람모란', 5))).toBeLessThanOrEqual(5);
  });

  test('what fits is left alone', () => {
    expect(cutTo('abc', 3)).toBe('abc');
  });

  test('wrapping loses no word, and no line is too wide, also for one word of 256 characters', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 256 }).filter((word) => !word.includes(' ')),
        ),
        (words) => {
          const text = words.join(' ');
          const lines = wrapTo(text, 30);
          expect(lines.every((line) => columnsOf(line) <= 30)).toBe(true);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });
});
