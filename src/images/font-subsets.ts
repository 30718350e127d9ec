import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** One file of the board font and the characters that it is for. */
export interface FontSubset {
  /** As CSS writes it: `U+ac00,U+ac10-ac1f`. */
  readonly unicodeRange: string;
  readonly woff2: Buffer;
}

/**
 * The subsets of the board font that a text needs beyond what every system's fonts have (Latin, Cyrillic, punctuation), so that a page shows Korean
 * also where no Korean font is installed. Throws where the font package cannot be read.
 */
export async function fontSubsetsFor(text: string): Promise<FontSubset[]> {
  const root = path.dirname(require.resolve('@fontsource/noto-sans-kr/package.json'));
  const wanted = new Set([...text.normalize('NFC')].map((character) => character.codePointAt(0) ?? 0).filter(isWanted));
  if (wanted.size === 0) return [];
  const ranges = JSON.parse(await readFile(path.join(root, 'unicode.json'), 'utf8')) as Record<string, string>;
  const subsets: FontSubset[] = [];
  for (const [name, unicodeRange] of Object.entries(ranges)) {
    if (name.startsWith('latin')) continue;
    const parts = unicodeRange.split(',').filter((part) => isWanted(boundsOf(part)[0]));
    const bounds = parts.map(boundsOf);
    const used = [...wanted].filter((code) => bounds.some(([first, last]) => code >= first && code <= last));
    if (used.length === 0) continue;
    // The next files need not bring what this one has: the ranges of the common subsets overlap.
    for (const code of used) wanted.delete(code);
    const file = `noto-sans-kr-${name.replace(/[[\]]/g, '')}-400-normal.woff2`;
    subsets.push({ unicodeRange: parts.join(','), woff2: await readFile(path.join(root, 'files', file)) });
  }
  return subsets;
}

function isWanted(code: number): boolean {
  return code >= 0x1100 && (code < 0x2000 || code > 0x2bff);
}

function boundsOf(part: string): [first: number, last: number] {
  const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-');
  return [parseInt(first, 16), parseInt(last, 16)];
}
