import { AppError } from '../../domain/errors';

/** A screenplay may have at most this many bytes: a feature film has about 200 kB. */
export const MAX_SCREENPLAY_BYTES = 4 * 1024 * 1024;

/** Control characters that no text file holds; tab, line feed, form feed and carriage return are allowed. */
// eslint-disable-next-line no-control-regex -- that is what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;

const ZERO_WIDTH_AND_SPACE = /[\s\u200b-\u200d\u2060\ufeff]/g;

/**
 * Bytes of a screenplay file to text (spec 00, "The input"): UTF-8 with or without BOM, or UTF-16 with BOM. Line ends become LF, and
 * the text is normalised to NFC: the one documented normalisation, so that a name typed on another system is the same name.
 * Throws screenplay.too_large, screenplay.not_text, screenplay.empty.
 */
export function decodeScreenplay(bytes: Uint8Array): string {
  if (bytes.length > MAX_SCREENPLAY_BYTES)
    throw new AppError(
      'screenplay.too_large',
      `The screenplay has ${bytes.length} bytes; at most ${MAX_SCREENPLAY_BYTES} are allowed.`,
    );
  const text = normaliseText(decode(bytes));
  const control = CONTROL.exec(text);
  if (control) {
    const line = text.slice(0, control.index).split('\n').length;
    const code = control[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase();
    throw new AppError('screenplay.not_text', `Line ${line} holds the control character U+${code}, which no text has.`);
  }
  if (text.replace(ZERO_WIDTH_AND_SPACE, '') === '')
    throw new AppError('screenplay.empty', 'The screenplay holds nothing but white space.');
  return text;
}

/** LF line ends, no BOM, NFC. Pure; the same for text that came in another way than as a file. */
export function normaliseText(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(/\f/g, '\n')
    .normalize('NFC');
}

function decode(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError(
      'screenplay.not_text',
      `The screenplay is not text: its bytes are not valid ${encoding.toUpperCase()}.`,
      undefined,
      { cause: error },
    );
  }
}
