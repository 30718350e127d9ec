import { propsIn as propsNamed } from '../../text/words/props';
import type { Pen } from '../pen';
import { camera, bagIcon, box, gun, keyIcon, knife, phone, suitcase, sword, telephone } from './carried';
import { bottle, clock, cup, flower, kettle, lamp, umbrella } from './household';
import { bell, bicycle, bowl, cake, candle, mailboxIcon, mirror, pen as penIcon, radio, rope } from './furnishings';
import { book, letter, money, paper, photo, ticket } from './papers';

export type PropPainter = (pen: Pen, x: number, y: number, size: number) => void;

/** Things that lie on a table rather than stand on it. */
export const LYING: ReadonlySet<PropPainter> = new Set([
  letter,
  ticket,
  paper,
  photo,
  money,
  book,
  keyIcon,
  phone,
  knife,
  sword,
  gun,
  penIcon,
]);

const PROPS: readonly (readonly [RegExp, PropPainter])[] = [
  [/kettle|teapot|주전자/i, kettle],
  [/ticket|coupon|stub|표\b|티켓|승차권/i, ticket],
  [/letter|envelope|mail(?! ?box)|postcard|편지|봉투|엽서/i, letter],
  [/umbrella|parasol|우산|양산/i, umbrella],
  [/telephone|receiver|landline|전화기/i, telephone],
  [/phone|smartphone|cell|휴대폰|핸드폰|전화/i, phone],
  [/suitcase|briefcase|luggage|트렁크|여행 ?가방/i, suitcase],
  [/bag|purse|satchel|backpack|가방|배낭/i, bagIcon],
  [/clock|watch(?!es|ing)|timer|시계/i, clock],
  [/candle|촛불|양초/i, candle],
  [/mail ?box|post ?box|우체통|우편함/i, mailboxIcon],
  [/\bbells?\b|방울/i, bell],
  [/\bpens?\b|pencil|만년필|연필/i, penIcon],
  [/\bropes?\b|밧줄/i, rope],
  [/radio|walkie|라디오|무전기/i, radio],
  [/cake|케이크/i, cake],
  [/mirror|거울/i, mirror],
  [/bowl|soup|noodle|국밥|그릇|수프|라면/i, bowl],
  [/bicycle|\bbike\b|자전거/i, bicycle],
  [/lamp|lantern|torch|flashlight|등불|램프|손전등|랜턴/i, lamp],
  [/cup|mug|tea\b|coffee|glass\b|컵|찻잔|커피|잔\b/i, cup],
  [/bottle|wine|potion|flask|술병|병\b|약병/i, bottle],
  [/photo|picture|portrait|polaroid|사진|초상/i, photo],
  [/book|diary|journal|\blog\b|ledger|novel|bible|책|일기|장부|일지/i, book],
  [/money|cash|bills?\b|coin|wallet|돈|지폐|동전|지갑/i, money],
  [/paper|document|contract|map|note|file|newspaper|script|서류|문서|종이|쪽지|지도|신문|계약/i, paper],
  [/\bkeys?\b|열쇠/i, keyIcon],
  [/box|crate|parcel|package|chest|상자|박스|소포|택배/i, box],
  [/sword|blade|katana|검\b|칼날/i, sword],
  [/gun|pistol|revolver|rifle|총/i, gun],
  [/knife|dagger|칼/i, knife],
  [/camera|카메라/i, camera],
  [/flower|rose|bouquet|plant|꽃|화분/i, flower],
];

/** The painter for a thing of this name; undefined where the artist does not know it. */
export function propPainter(name: string): PropPainter | undefined {
  const known = PROPS.find(([pattern]) => pattern.test(name));
  if (known) return known[1];
  // Words of other languages, by the writer's list.
  const english = propsNamed(name)[0]?.english;
  return english === undefined ? undefined : PROPS.find(([pattern]) => pattern.test(english))?.[1];
}

/** The things that names and then a text tell of and the artist knows, in that order; at most `most`. */
export function propsIn(names: readonly string[], text: string, most: number): PropPainter[] {
  const named = names.map(propPainter).filter((painter) => painter !== undefined);
  const told = text === '' ? [] : PROPS.filter(([pattern]) => pattern.test(text)).map(([, painter]) => painter);
  return [...new Set([...named, ...told])].slice(0, most);
}
