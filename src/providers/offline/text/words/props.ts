/** Objects that the offline artist can draw, by their English name, with the words of other languages. */
const PROPS: readonly (readonly [english: string, words: RegExp])[] = [
  ['kettle', /kettle|teekessel|bouilloire|tetera|주전자|やかん/iu],
  ['ticket', /tickets?|fahrkarte|billet|billete|승차권|차표|切符/iu],
  ['letter', /letters?|brief|lettre|carta|편지|手紙/iu],
  ['envelope', /envelopes?|umschlag|enveloppe|sobre|봉투|封筒/iu],
  ['mailbox', /mailbox|postbox|letterbox|briefkasten|boîte aux lettres|buzón|우체통|우편함|ポスト/iu],
  ['document', /documents?|contract|deed|papers|dokument|vertrag|contrat|documento|서류|계약서|書類/iu],
  ['pen', /pen|fountain pen|stift|stylo|pluma|만년필|펜|ペン/iu],
  ['lamp', /lamps?|lampe|lámpara|램프|전등|ランプ/iu],
  ['lantern', /lanterns?|laterne|lanterne|farol|등불|랜턴|ランタン/iu],
  ['clock', /clocks?|uhr|horloge|reloj|시계|時計/iu],
  ['telephone', /telephone|phone|telefon|téléphone|teléfono|전화기|전화|電話/iu],
  ['cup', /cups?|mugs?|teacup|tasse|taza|찻잔|컵|湯呑み|カップ/iu],
  ['book', /books?|logbook|buch|livre|libro|책|일지|本棚|本/iu],
  ['key', /keys?|schlüssel|clé|llave|열쇠|鍵/iu],
  ['bag', /bags?|suitcase|backpack|tasche|sac|bolsa|maleta|가방|배낭|鞄|かばん/iu],
  ['box', /(?<!telephone |phone )(?:boxes|box)|crate|kiste|boîte|caja|상자|箱/iu],
  ['umbrella', /umbrellas?|regenschirm|parapluie|paraguas|우산|傘/iu],
  ['sword', /swords?|schwert|épée|espada|검|刀|剣/iu],
  ['gun', /guns?|pistol|revolver|rifle|pistole|pistolet|pistola|권총|총|銃/iu],
  ['knife', /knife|knives|messer|couteau|cuchillo|칼|ナイフ/iu],
  ['bell', /bells?|glocke|cloche|campana|종|鐘/iu],
  ['map', /maps?|chart|landkarte|carte marine|mapa|지도|地図/iu],
  ['photograph', /photographs?|photos?|foto|fotografie|사진|写真/iu],
  ['candle', /candles?|kerze|bougie|vela|촛불|초|ろうそく/iu],
  ['rope', /ropes?|seil|corde|cuerda|밧줄|ロープ/iu],
  ['boat', /boats?|ferry|dinghy|boot|fähre|bateau|barco|배|나룻배|船/iu],
  ['bus', /bus(?! (?:stop|shelter))|autobus|autobús|버스|バス/iu],
  ['tram', /trams?(?! (?:stop|ticket))|straßenbahn|tranvía|전차|路面電車/iu],
  ['bicycle', /bicycles?|bike|fahrrad|vélo|bicicleta|자전거|自転車/iu],
  ['radio', /radios?|radio set|라디오|무전기|ラジオ/iu],
  ['cake', /cakes?|kuchen|gâteau|pastel|케이크|ケーキ/iu],
  ['flower', /flowers?|roses?|blume|fleur|flor|꽃|花/iu],
  ['mirror', /mirrors?|spiegel|miroir|espejo|거울|鏡/iu],
  ['soup', /soup|suppe|soupe|sopa|국밥|수프|スープ/iu],
];

export interface FoundProp {
  /** As the text writes it, in the singular where it is English. */
  readonly name: string;
  readonly english: string;
  readonly at: number;
}

/** Words of one syllable that other words hold inside, so that they count only where they stand alone (배 in 배달). */
const ALONE = new Set([
  '배',
  '초',
  '검',
  '종',
  '총',
  '칼',
  '책',
  '꽃',
  '펜',
  '컵',
  '本',
  '花',
  '船',
  '刀',
  '箱',
  '傘',
  '鍵',
]);

const PATTERNS = PROPS.map(([english, words]) => {
  const [cased, caseless] = [[], []] as [string[], string[]];
  for (const word of words.source.split(/\|(?![^(]*\))/))
    (word.toLowerCase() === word.toUpperCase() ? caseless : cased).push(word);
  const alone = caseless
    .filter((word) => ALONE.has(word))
    .map((word) => `(?<![\\p{L}])${word}(?=$|[^\\p{L}]|[을를이가은는과와의에로도])`);
  const inside = caseless.filter((word) => !ALONE.has(word));
  const parts = [`(?<![\\p{L}])(?:${cased.join('|')})(?![\\p{L}])`, ...inside, ...alone];
  return [english, new RegExp(parts.join('|'), 'iu')] as const;
});

/** The props that a text names, in the order of their first mention. */
export function propsIn(text: string): FoundProp[] {
  return PATTERNS.flatMap(([english, words]) => {
    const match = words.exec(text);
    return match ? [{ name: nameOf(match[0].toLowerCase(), english), english, at: match.index }] : [];
  }).sort((a, b) => a.at - b.at);
}

/** One name for `letter` and `letters`. */
function nameOf(word: string, english: string): string {
  return word.startsWith(english) || english.startsWith(word) ? english : word;
}
