export type Hair = 'short' | 'bob' | 'long' | 'ponytail' | 'bun' | 'curly' | 'tousled' | 'spiky' | 'bald' | 'wavy';
export type Garment = 'apron' | 'coat' | 'jacket' | 'dress' | 'cardigan' | 'shirt' | 'hoodie';

/** What a description says of a person's looks; what it does not say is undefined, and the name's hash decides. */
export interface Traits {
  readonly hair: Hair | undefined;
  readonly hairColour: string | undefined;
  readonly garment: Garment | undefined;
  readonly top: string | undefined;
  /** Factor on the width of the shoulders, and on the height. */
  readonly build: number | undefined;
  readonly stature: number | undefined;
}

type Words<T> = readonly (readonly [RegExp, T])[];

const HAIR: Words<Hair> = [
  [/\bbald|shaved head|대머리/i, 'bald'],
  [/tied.?back|pony.?tail|braid|묶은 머리|땋은/i, 'ponytail'],
  [/hair in a (knot|bun)|\bbun\b|topknot|쪽진|올림머리/i, 'bun'],
  [/\bcurl(s|y)|afro|곱슬/i, 'curly'],
  [/\bwavy|웨이브/i, 'wavy'],
  [/\bcropped|crew.?cut|short( \w+)? hair|짧은 머리|스포츠머리/i, 'short'],
  [/\bbob\b|단발/i, 'bob'],
  [/(long|straight)( \w+)? hair|긴 머리|생머리/i, 'long'],
  [/spiky|삐죽/i, 'spiky'],
  [/tousled|messy|unkempt|헝클|부스스/i, 'tousled'],
  [/thin( \w+)? hair/i, 'short'],
];

const COLOURS: Words<string> = [
  [/\b(white|silver|gr[ea]y)( \w+)? (hair|curls)|(?:백발|흰머리|은발)/i, '#cfccc5'],
  [/\b(auburn|red|ginger|copper)( \w+)? (hair|curls)|빨간 머리|붉은 머리/i, '#94452e'],
  [/\b(blond\w*|fair|golden)( \w+)? (hair|curls)|금발/i, '#cba463'],
  [/\b(brown|chestnut)( \w+)? (hair|curls)|갈색 머리/i, '#5d3f2b'],
  [/\b(black|dark)( \w+)? (hair|curls)|검은 머리|흑발/i, '#28221f'],
];

const GARMENTS: Words<Garment> = [
  [/apron|앞치마/i, 'apron'],
  [/cardigan|sweater|카디건|가디건|스웨터/i, 'cardigan'],
  [/\bcoat\b|uniform|코트|제복|외투/i, 'coat'],
  [/\bdress\b|skirt|gown|드레스|원피스|치마|한복/i, 'dress'],
  [/\bsuit\b|jacket|blazer|재킷|정장|양복|점퍼/i, 'jacket'],
  [/hood|후드/i, 'hoodie'],
  [/sleeves|shirt|셔츠/i, 'shirt'],
];

const CLOTH_COLOURS: Words<string> = [
  [/\bdark (suit|coat|dress|jacket)|검은 (옷|정장|코트|양복)/i, '#3d4250'],
  [/\bred (coat|dress|jacket|hood|shirt|cardigan)|빨간 (코트|원피스|재킷|옷)/i, '#a8433a'],
  [/\b(blue|navy) (coat|dress|jacket|suit|shirt|cardigan)|(파란|남색) (코트|원피스|재킷|옷)/i, '#3d5c82'],
  [/\bgreen (coat|dress|jacket|shirt|cardigan)|(초록|녹색) (코트|원피스|재킷|옷)/i, '#567448'],
  [/\byellow (coat|dress|jacket|shirt)|노란 (코트|원피스|재킷|옷|우비)/i, '#cfa23f'],
  [/\bwhite (coat|dress|jacket|shirt)|흰 (코트|원피스|가운|옷)/i, '#ddd8cc'],
  [/\b(grey|gray) (coat|dress|jacket|suit|cardigan)|회색 (코트|원피스|재킷|옷)/i, '#85868a'],
  [/\bbrown (coat|dress|jacket|suit|cardigan)|갈색 (코트|원피스|재킷|옷)/i, '#7d5f45'],
];

const BUILDS: Words<number> = [
  [/\b(slight|thin|slim|slender|petite|small)\b(?! \w+ hair)|마른|가냘/i, 0.88],
  [/\b(broad|heavy.?set|stout|burly|big|large)\b|건장|뚱뚱|덩치/i, 1.18],
  [/\bmedium build/i, 1],
];

const STATURES: Words<number> = [
  [/\btall\b|키가 큰|키 큰/i, 1.07],
  [/\b(small|petite|short (man|woman))\b|키가 작은|작은 키/i, 0.93],
];

export function traitsOf(description: string): Traits {
  const said = <T>(words: Words<T>): T | undefined => words.find(([pattern]) => pattern.test(description))?.[1];
  return {
    hair: said(HAIR),
    hairColour: said(COLOURS),
    garment: said(GARMENTS),
    top: said(CLOTH_COLOURS),
    build: said(BUILDS),
    stature: said(STATURES),
  };
}
