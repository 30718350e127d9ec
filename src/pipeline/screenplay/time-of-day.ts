/** Words for times of day, in the languages that headings come in. Order matters: `midnight` before `night`, `새벽` before `밤`. */
const WORDS: readonly (readonly [time: string, words: RegExp])[] = [
  [
    'dawn',
    /\b(dawn|daybreak|sunrise|first light|morgengrauen|morgendämmerung|sonnenaufgang|aube|amanecer|alba|madrugada|alvorada|рассвет)\b|새벽|동틀|여명|일출|夜明け|明け方|未明|早朝|黎明|拂晓|凌晨/iu,
  ],
  [
    'dusk',
    /\b(dusk|sunset|twilight|magic hour|golden hour|gloaming|abenddämmerung|dämmerung|sonnenuntergang|crépuscule|coucher du soleil|atardecer|ocaso|crepúsculo|tramonto|сумерки|закат)\b|해질|해 질|황혼|노을|석양|일몰|夕暮れ?|夕焼け|日没|黄昏|傍晚/iu,
  ],
  [
    'night',
    /\b(midnight|night|late night|nacht|nachts|mitternacht|nuit|minuit|noche|medianoche|noite|notte|ночь|ночью)\b|한밤|심야|자정|밤|야간|真夜中|深夜|夜中|夜|晚上|深夜|午夜/iu,
  ],
  ['evening', /\b(evening|abend|abends|soir|soirée|tarde-noche|sera|вечер|вечером)\b|저녁|夕方|晩|傍晚/iu],
  [
    'morning',
    /\b(morning|mornings|morgen|morgens|vormittag|matin|matinée|mañana|manhã|mattina|утро|утром)\b|아침|오전|朝|早晨|上午|清晨/iu,
  ],
  [
    'day',
    /\b(day|daytime|noon|midday|afternoon|tag|tags|mittag|nachmittag|jour|midi|après-midi|día|dia|mediodía|tarde|giorno|pomeriggio|день|днём|днем)\b|낮|한낮|정오|대낮|오후|주간|昼|正午|午後|日中|白天|中午|下午/iu,
  ],
];

/**
 * JavaScript's \b knows ASCII letters only, so that it finds no end behind é; these know all. The words are searched for in
 * lower case and without the flag i, which would make a pattern of \p{L} several times as slow to compile.
 */
const PATTERNS = WORDS.map(
  ([time, words]) =>
    [
      time,
      new RegExp(words.source.replace('\\b(', '(?<![\\p{L}\\p{N}])(').replace(')\\b', ')(?![\\p{L}\\p{N}])'), 'u'),
    ] as const,
);

/** The normalised time of day that a heading's segment names: dawn, morning, day, evening, dusk, night, or ''. */
export function timeOfDayIn(segment: string): string {
  const text = segment.normalize('NFC').toLowerCase();
  for (const [time, words] of PATTERNS) if (words.test(text)) return time;
  return '';
}

const CONTINUITY =
  /^(continuous|continuing|cont'?d|later|moments? later|same( time)?|a moment later|minutes later|hours later|meanwhile|next|suite|plus tard|même moment|später|weiter|gleichzeitig|continuo|continua|más tarde|계속|연속|같은 시각|잠시 후|続き|その後|同时|稍后)$/iu;

/** Whether a heading's last segment says "as the scene before" rather than a time or a place. */
export function isContinuity(segment: string): boolean {
  return CONTINUITY.test(segment.trim().replace(/[.()]/g, ''));
}
