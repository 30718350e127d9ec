export const SUMMARY_MODEL = 'callsheet-extract-1';
const SENTENCES = 3;
const CHARACTERS = 600;
/** Above this, only the beginning is read. */
const READ_CHARACTERS = 100_000;

const bySentence = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const byWord = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The sentences that say most of what a text is about, in their order: scored by how often their words occur in the whole.
 * Works for any language that Intl can split. Pure.
 */
export function summarize(title: string, body: string): string {
  const sentences = [...bySentence.segment(body.slice(0, READ_CHARACTERS))]
    .map(({ segment }) => segment.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
  const words = sentences.map(wordsOf);
  const frequency = new Map<string, number>();
  for (const word of [...words.flat(), ...wordsOf(title)]) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const score = (index: number) => {
    const own = words[index] ?? [];
    return own.reduce((sum, word) => sum + (frequency.get(word) ?? 0), 0) / Math.sqrt(own.length + 1);
  };
  const best = sentences
    .map((_, index) => index)
    .sort((one, other) => score(other) - score(one) || one - other)
    .slice(0, SENTENCES)
    .sort((one, other) => one - other);
  const text = best.map((index) => sentences[index]).join(' ') || title;
  const characters = [...text];
  return characters.length > CHARACTERS ? `${characters.slice(0, CHARACTERS - 1).join('')}…` : text;
}

/** Words of more than one character, in one spelling. */
function wordsOf(text: string): string[] {
  return [...byWord.segment(text)]
    .filter(({ isWordLike, segment }) => isWordLike && segment.length > 1)
    .map(({ segment }) => segment.normalize('NFC').toLowerCase());
}
