import { randomFrom } from './random';

export type Interior =
  | 'room'
  | 'kitchen'
  | 'bedroom'
  | 'office'
  | 'corridor'
  | 'stairs'
  | 'cafe'
  | 'shop'
  | 'archive'
  | 'post_office'
  | 'clinic'
  | 'classroom'
  | 'hall'
  | 'vehicle'
  | 'bridge'
  | 'machine_room'
  | 'booth';
export type Exterior =
  | 'street'
  | 'alley'
  | 'square'
  | 'station'
  | 'rooftop'
  | 'harbour'
  | 'deck'
  | 'sea'
  | 'beach'
  | 'underwater'
  | 'forest'
  | 'field'
  | 'mountain'
  | 'house'
  | 'lighthouse'
  | 'sky';
export type PlaceKind = Interior | Exterior;

const INTERIORS: readonly (readonly [RegExp, Interior])[] = [
  [/phone ?box|telephone box|phone booth|booth|elevator|lift\b|전화 ?박스|공중전화|엘리베이터/i, 'booth'],
  [/wheelhouse|cockpit|control room|조타|조종실|관제/i, 'bridge'],
  [/engine room|boiler|factory|workshop|garage|basement lab|기관실|공장|작업실|차고/i, 'machine_room'],
  [/stair|계단/i, 'stairs'],
  [/corridor|hallway|passage|tunnel|복도|통로|터널/i, 'corridor'],
  [/kitchen|küche|cuisine|cocina|부엌|주방|台所/i, 'kitchen'],
  [/bed ?room|attic|cabin|dormitory|schlafzimmer|chambre|침실|다락|기숙사|안방/i, 'bedroom'],
  [/clinic|hospital|ward\b|surgery|laborator|병원|병실|진료|보건|연구실/i, 'clinic'],
  [/gym|theat(re|er)|hall\b|church|court|auditorium|체육관|강당|극장|교회|법정|성당/i, 'hall'],
  [/class ?room|school|lecture|klassenzimmer|école|escuela|교실|학교|강의실|教室/i, 'classroom'],
  [/post ?office|mail ?room|sorting|우체국/i, 'post_office'],
  [/archive|library|cellar|basement|store ?room|back room|warehouse|서고|도서관|지하실|창고|기록/i, 'archive'],
  [
    /caf[eé]|coffee|restaurant|diner|\bbar\b|\bpub\b|saloon|canteen|tavern|喫茶店|食堂|카페|커피|식당|술집|주점|분식|다방/i,
    'cafe',
  ],
  [/shop|store|chandlery|market|pharmacy|bakery|가게|상점|편의점|시장|약국|서점|빵집/i, 'shop'],
  [
    /\b(bus|car|taxi|train|tram|subway|van|truck|carriage|plane|ferry saloon)\b(?!.*(stop|station|shelter))|버스|자동차|차 안|차내|택시|기차|지하철|열차|트럭/i,
    'vehicle',
  ],
  [
    /office|notary|study|bureau|police|station|lamp room|büro|oficina|사무|회사|서재|事務所|경찰|공증|회의실/i,
    'office',
  ],
  [/room|house|home|apartment|flat|living|wohnzimmer|salon|haus\b|거실|집|방|아파트|원룸|部屋|居間/i, 'room'],
];

const EXTERIORS: readonly (readonly [RegExp, Exterior])[] = [
  [/sea ?floor|sea ?bed|underwater|drowned|해저|바닷속|물속|수중/i, 'underwater'],
  [/lighthouse|등대/i, 'lighthouse'],
  [/\bdeck\b|aboard|갑판|선상/i, 'deck'],
  [/roof|terrace|balcony|azotea|屋上|옥상|지붕|테라스|베란다/i, 'rooftop'],
  [/alley|lane\b|back ?street|골목/i, 'alley'],
  [
    /station|tram stop|bus stop|\bstop\b|platform|shelter|bahnhof|\bgare\b|estación|駅|정류장|승강장|플랫폼|(?:^|[\s가-힣])역(?:\s|$|앞)/i,
    'station',
  ],
  [/harbou?r|quay|pier|dock|breakwater|\bport\b|marina|hafen|puerto|港|항구|부두|방파제|선착장|포구/i, 'harbour'],
  [/beach|shore|coast|dune|strand|plage|playa|浜|해변|바닷가|모래사장|해안/i, 'beach'],
  [/\bsea\b|ocean|open water|lake|river|meer\b|海|바다|호수|강가|강변/i, 'sea'],
  [/square|market|plaza|courtyard|광장|시장|장터/i, 'square'],
  [/forest|woods?\b|jungle|grove|wald\b|forêt|bosque|森|숲|산림|정글/i, 'forest'],
  [/cliff|mountain|hill|ridge|valley|canyon|desert|절벽|산길|산꼭대기|언덕|계곡|사막|(?:^|\s)산(?:\s|$)/i, 'mountain'],
  [/field|park|garden|yard|meadow|farm|cemetery|playground|공원|들판|정원|마당|운동장|논|밭|묘지/i, 'field'],
  [
    /street|road|avenue|city|town|crossing|bridge|highway|straße|\brue\b|calle|通り|거리|도로|시내|횡단보도|길가|길거리|다리 위/i,
    'street',
  ],
  [/house|home|village|cottage|hut|farmhouse|집 앞|마을|대문|오두막|주택/i, 'house'],
  [/sky|space|cloud|air\b|하늘|우주|구름/i, 'sky'],
];

/**
 * What kind of place to draw, by English and Korean words of its name; the longer description only where the name says
 * nothing. A place that no word tells is chosen by its name's hash, and so is the same in every shot.
 */
export function placeKind(place: string, description: string, interior: string): PlaceKind {
  const inside = /^int/i.test(interior);
  const outside = /^ext/i.test(interior);
  const lists: readonly (readonly (readonly [RegExp, PlaceKind])[])[] = inside
    ? [INTERIORS]
    : outside
      ? [EXTERIORS]
      : [INTERIORS, EXTERIORS];
  for (const text of [place, description])
    for (const list of lists) {
      const found = list.find(([pattern]) => pattern.test(text));
      if (found) return found[1];
    }
  const random = randomFrom(`place:${place}`);
  if (inside) return random.pick<PlaceKind>(['room', 'office', 'hall', 'corridor']);
  if (outside) return random.pick<PlaceKind>(['street', 'field', 'square', 'house']);
  return random.pick<PlaceKind>(['room', 'street', 'field', 'office', 'square']);
}

export function isInterior(kind: PlaceKind): kind is Interior {
  return INTERIORS.some(([, name]) => name === kind);
}
