import type { Pen } from '../pen';
import { camera, bagIcon, box, gun, keyIcon, knife, phone, suitcase, sword, telephone } from './carried';
import { bottle, clock, cup, flower, kettle, lamp, umbrella } from './household';
import { book, letter, money, paper, photo, ticket } from './papers';

export type PropPainter = (pen: Pen, x: number, y: number, size: number) => void;

/** Things that lie on a table rather than stand on it. */
export const LYING: ReadonlySet<PropPainter> = new Set([letter, ticket, paper, photo, money, book, keyIcon, phone, knife, sword, gun]);

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
  [/lamp|lantern|candle|torch|flashlight|등불|램프|촛불|손전등|랜턴/i, lamp],
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
  return PROPS.find(([pattern]) => pattern.test(name))?.[1];
}

/** The things that a text names and the artist knows, in the order of the names; at most `most`. */
export function propsIn(names: readonly string[], text: string, most: number): PropPainter[] {
  const found: PropPainter[] = [];
  for (const source of [...names, text])
    for (const [pattern, painter] of source === text ? PROPS : PROPS.filter(([known]) => known.test(source)).slice(0, 1))
      if (found.length < most && !found.includes(painter) && pattern.test(source)) found.push(painter);
  return found;
}
