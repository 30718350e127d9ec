export const EMBEDDING_MODEL = 'callsheet-hashed-trigrams-1';
const DIMENSIONS = 256;

/**
 * A vector of what a text is made of: its three-character sequences, hashed into 256 dimensions, of length 1. Works for any
 * language, since it needs no words. Pure, and the same on every machine.
 */
export function embed(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  const characters = [...text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ')];
  for (let at = 0; at + 3 <= characters.length || at === 0; at += 1) {
    const hash = fnv1a(characters.slice(at, at + 3).join(''));
    const index = hash % DIMENSIONS;
    // The sign comes from another bit, so that two sequences in one dimension cancel as often as they add.
    vector[index] = vector[index]! + (hash & 0x100 ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => Math.round((value / length) * 1e6) / 1e6);
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
