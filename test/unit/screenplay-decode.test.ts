import { AppError } from '../../src/domain/errors';
import { decodeScreenplay, MAX_SCREENPLAY_BYTES } from '../../src/pipeline/screenplay/decode';
import { parseScreenplay } from '../../src/pipeline/screenplay/parse';
import { WEBTOON } from '../support/screenplays';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function codeOf(content: Uint8Array): string {
  try {
    decodeScreenplay(content);
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? error.code : `not an AppError: ${String(error)}`;
  }
}

describe('decodeScreenplay', () => {
  it('gives the same text for BOM or none, and for LF, CRLF and CR', () => {
    const plain = decodeScreenplay(bytes('INT. A - DAY\n\nText.\n'));
    for (const variant of [
      '\ufeffINT. A - DAY\r\n\r\nText.\r\n',
      'INT. A - DAY\r\rText.\r',
      '\ufeffINT. A - DAY\n\nText.\n',
    ])
      expect(decodeScreenplay(bytes(variant))).toBe(plain);
  });

  it('reads UTF-16 of both byte orders where a BOM says so', () => {
    const utf16le = Buffer.from('\ufeffINT. 부엌 - 밤', 'utf16le');
    const utf16be = Buffer.from(utf16le).swap16();
    expect(decodeScreenplay(utf16le)).toBe('INT. 부엌 - 밤');
    expect(decodeScreenplay(utf16be)).toBe('INT. 부엌 - 밤');
  });

  it('makes one text of composed and decomposed Korean, and so one set of scene ids', () => {
    const composed = WEBTOON.normalize('NFC');
    const decomposed = WEBTOON.normalize('NFD');
    expect(decomposed).not.toBe(composed);
    expect(decodeScreenplay(bytes(decomposed))).toBe(decodeScreenplay(bytes(composed)));
    expect(parseScreenplay(decomposed, 'x')).toEqual(parseScreenplay(composed, 'x'));
  });

  it.each([
    ['a NUL', bytes('INT. A\u0000B')],
    ['a bell', bytes('INT. A\u0007')],
    ['bytes that are no UTF-8', new Uint8Array([0x49, 0x4e, 0xff, 0xfe, 0x80])],
    ['the head of a PNG', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
    ['an encoded lone surrogate', new Uint8Array([0x41, 0xed, 0xa0, 0x80])],
  ])('refuses %s as no text', (_what, content) => expect(codeOf(content)).toBe('screenplay.not_text'));

  it.each([
    ['no byte', new Uint8Array()],
    ['white space', bytes(' \n\t\r\n ')],
    ['a BOM alone', bytes('\ufeff')],
    ['zero-width characters', bytes('\u200b\u2060\n')],
  ])('says that %s is empty', (_what, content) => expect(codeOf(content)).toBe('screenplay.empty'));

  it('names the limit for a file above it, and takes one at it', () => {
    expect(codeOf(new Uint8Array(MAX_SCREENPLAY_BYTES + 1).fill(0x41))).toBe('screenplay.too_large');
    expect(codeOf(new Uint8Array(MAX_SCREENPLAY_BYTES).fill(0x41))).toBe('accepted');
  });

  it('keeps tabs, emoji, right-to-left text and form feeds that old word processors leave', () => {
    expect(decodeScreenplay(bytes('שלום\t👨‍👩‍👧\fثم'))).toBe('שלום\t👨‍👩‍👧\nثم');
  });
});
