/** How each time of day looks, as the offline writer says it. */
export const LIGHT: Readonly<Record<string, string>> = {
  dawn: 'first pale light of dawn',
  morning: 'low clear morning light',
  day: 'bright even daylight',
  evening: 'warm fading evening light',
  dusk: 'deep orange and violet dusk',
  night: 'night, pools of lamplight in the dark',
};

/** Words from which a hasty writer guesses the light. */
const WORDS: readonly (readonly [time: string, words: RegExp])[] = [
  [
    'night',
    /\b(moon(?:light|lit)?|stars|starlight|street ?lights?|street ?lamps?|neon|lantern|candle(?:light)?|midnight|headlights|mond(?:licht)?|sterne|lune|étoiles|luna|estrellas)\b|달빛|별빛|가로등|불 켜진|촛불|등불|네온|月明かり|街灯|星空|ランタン/iu,
  ],
  ['dusk', /\b(sunset|dusk|twilight|sonnenuntergang|crépuscule|atardecer)\b|노을|석양|황혼|夕焼け/iu],
  ['dawn', /\b(sunrise|daybreak|dawn)\b|동이 트|여명|일출|새벽|朝焼け/iu],
  ['day', /\b(sun|sunlight|sunlit|sunshine|daylight|noon|sonne|soleil|sol)\b|햇살|햇빛|햇볕|한낮|日差し|陽射し/iu],
];

/** The time of day that the first such word in a text suggests, with the word; null where there is none. */
export function lightIn(text: string): { readonly time: string; readonly word: string } | null {
  let first: { time: string; word: string; at: number } | null = null;
  for (const [time, words] of WORDS) {
    const match = words.exec(text);
    if (match && (first === null || match.index < first.at)) first = { time, word: match[0], at: match.index };
  }
  return first;
}

/** The time of day that a light's description stands for; '' for one that is not ours. */
export function timeOfLight(description: string): string {
  return Object.entries(LIGHT).find(([, light]) => light === description.trim())?.[0] ?? '';
}
