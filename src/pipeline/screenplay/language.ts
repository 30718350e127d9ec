/** Letters of a script, and the language it most likely means where no other script tells more. */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
];

const STOP_WORDS: readonly (readonly [language: string, words: RegExp])[] = [
  ['en', /\b(the|and|of|to|is|it|in|that|with|was|you)\b/giu],
  ['de', /\b(der|die|das|und|ist|nicht|ein|eine|mit|sie|ich)\b/giu],
  ['fr', /\b(le|la|les|et|est|une|des|dans|elle|il|pas|vous)\b/giu],
  ['es', /\b(el|los|las|una|que|con|por|está|pero|ella|del)\b/giu],
];

/** How much of the text is looked at, in UTF-16 units: enough to know, and quick for a novel. */
const SAMPLE = 20_000;

/** BCP 47 language of a text, guessed from its scripts and, for Latin letters, from its small words; `und` where nothing tells. */
export function languageOf(text: string): string {
  const sample = text.slice(0, SAMPLE);
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0;
  const latin = count(/\p{Script=Latin}/gu);
  const japanese = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  let best = ['und', 0] as readonly [string, number];
  for (const [language, letters] of SCRIPTS) {
    const found = language === 'zh' && japanese > 0 ? 0 : count(letters);
    if (found > best[1]) best = [language, found];
  }
  // One word of a syllabic or ideographic script is as long as several letters of an alphabet.
  if (best[1] * 3 >= latin && best[1] > 0) return best[0];
  if (latin === 0) return best[0];
  let latinBest = ['en', 0] as readonly [string, number];
  for (const [language, words] of STOP_WORDS) {
    const found = count(words);
    if (found > latinBest[1]) latinBest = [language, found];
  }
  return latinBest[0];
}
