/** Words that show on a face, English and Korean; the first that fits counts. */
const EXPRESSIONS: readonly (readonly [expression: string, words: RegExp])[] = [
  ['laughing', /\b(laugh|giggl|chuckl)|웃음을 터|깔깔|ㅋㅋ/iu],
  ['smiling', /\b(smil|grin|beam)|웃|미소/iu],
  ['crying', /\b(cries|crying|weep|sob|tears?)\b|울음|울먹|눈물|흐느/iu],
  ['angry', /\b(angr|furious|shout|snap|glare)|화를|화난|소리친|노려/iu],
  ['afraid', /\b(afraid|scared|terrif|flinch|trembl)|무서|두려|겁에|떨리|떤다/iu],
  ['surprised', /\b(surpris|startl|gasp|stare|freez)|놀라|놀란|깜짝|멈칫/iu],
  ['tired', /\b(tired|exhaust|out of breath|yawn)|지친|숨을 몰아|하품/iu],
  ['thoughtful', /\b(think|ponder|hesitat|wonder|looks? away)|생각|망설|고민/iu],
];

/** What a face shows in a shot: from its action, else from the line spoken; '' where neither tells. */
export function expressionOf(action: string, caption: string): string {
  const found = EXPRESSIONS.find(([, words]) => words.test(action))?.[0];
  if (found !== undefined) return found;
  if (/[?？]\s*["'”’」』]?\s*$/u.test(caption)) return 'questioning';
  if (/[!！]/u.test(caption)) return 'urgent';
  return '';
}
