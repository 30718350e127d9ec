/** Places by what a text without headings tells of them; the name is in English or Korean, as the text is. */
const PLACES: readonly (readonly [name: string, korean: string, interior: 'INT' | 'EXT', words: RegExp])[] = [
  ['Kitchen', '부엌', 'INT', /\b(kitchen|stove|küche|cuisine|cocina)\b|부엌|주방|台所/iu],
  ['Rooftop', '옥상', 'EXT', /\b(rooftop|roof|dach|toit|azotea)\b|옥상|屋上/iu],
  ['Office', '사무실', 'INT', /\b(office|desk|büro|bureau|oficina)\b|사무실|책상|事務所/iu],
  ['Bedroom', '침실', 'INT', /\b(bedroom|bed|pillow|schlafzimmer|chambre|dormitorio)\b|침실|침대|寝室/iu],
  ['Classroom', '교실', 'INT', /\b(classroom|school|klassenzimmer|école|escuela)\b|교실|학교|教室/iu],
  ['Station', '역', 'EXT', /\b(station|platform|train|bahnhof|gare|estación)\b|승강장|기차|駅/iu],
  ['Harbour', '항구', 'EXT', /\b(harbour|harbor|pier|quay|dock|hafen|port|puerto)\b|항구|부두|港/iu],
  ['Sea', '바다', 'EXT', /\b(sea|ocean|waves|beach|shore|meer|mer|mar)\b|바다|파도|해변|海/iu],
  ['Forest', '숲', 'EXT', /\b(forest|woods|trees|wald|forêt|bosque)\b|숲|나무들|森/iu],
  ['Street', '거리', 'EXT', /\b(street|road|alley|sidewalk|straße|rue|calle)\b|골목|거리|길가|通り|道/iu],
  ['Café', '카페', 'INT', /\b(café|cafe|bar|restaurant|diner)\b|카페|식당|분식집|喫茶店/iu],
  ['Living room', '거실', 'INT', /\b(living room|sofa|couch|wohnzimmer|salon|sala)\b|거실|소파|居間/iu],
  ['Field', '들판', 'EXT', /\b(field|meadow|hill|feld|champ|campo)\b|들판|언덕|野原/iu],
];

/** Where a text without a heading plays, or null where it does not tell. */
export function placeIn(text: string): { readonly name: string; readonly interior: 'INT' | 'EXT' } | null {
  let first: { name: string; interior: 'INT' | 'EXT'; at: number } | null = null;
  for (const [name, korean, interior, words] of PLACES) {
    const match = words.exec(text);
    if (match && (first === null || match.index < first.at))
      first = { name: /\p{Script=Hangul}/u.test(text) ? korean : name, interior, at: match.index };
  }
  return first && { name: first.name, interior: first.interior };
}
