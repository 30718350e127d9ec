const MOODS: readonly (readonly [mood: string, words: RegExp])[] = [
  [
    'tense',
    /\b(gun|knife|blood|scream|shout|slam|chase|run|danger|afraid|fear|threat|alarm|explo|storm)\w*|총|칼|비명|쫓|위험|달린다|폭발|긴장/giu,
  ],
  [
    'eerie',
    /\b(ghost|shadow|whisper|fog|drowned|empty|silence|strange|haunt|nobody|bell)\w*|유령|그림자|안개|속삭|아무도|이상한|말을 했다|덜컹/giu,
  ],
  ['tender', /\b(laugh|smile|kiss|hug|gentl|warm|tea|hand in hand|mother|child)\w*|웃|미소|안아|따뜻|엄마|손을/giu],
  ['comic', /\b(joke|funny|trip|sneeze|awkward|absurd|oops)\w*|개그|ㅋㅋ|넘어진|재채기/giu],
  ['sad', /\b(cry|cries|tear|grave|funeral|alone|goodbye|lost|wept|weep)\w*|눈물|울|혼자|이별|무덤|사라졌/giu],
  ['full of wonder', /\b(light|glow|sky|stars?|wonder|magic|fly|flies|wings?)\b|빛|반짝|하늘|별|날아|마법|새처럼/giu],
];

const BY_TIME: Readonly<Record<string, string>> = {
  night: 'hushed',
  dawn: 'expectant',
  dusk: 'wistful',
  evening: 'wistful',
};

/** One word alone is chance. */
const WORDS_NEEDED = 2;

/** The mood of a text, in an English word or two: the one with most words, else what its time of day suggests. */
export function moodOf(text: string, timeOfDay: string): string {
  let best = [BY_TIME[timeOfDay] ?? 'quiet', WORDS_NEEDED - 1] as readonly [string, number];
  for (const [mood, words] of MOODS) {
    const found = text.match(words)?.length ?? 0;
    if (found > best[1]) best = [mood, found];
  }
  return best[0];
}
