import { randomFrom } from '../random';
import { traitsOf, type Garment, type Hair } from './traits';

export type Kind = 'human' | 'mailbox' | 'dog' | 'cat' | 'robot';

/** How one person looks in every shot: told by the description where it says so, else by the name's hash. */
export interface Look {
  readonly kind: Kind;
  readonly skin: string;
  readonly hair: Hair;
  readonly hairColour: string;
  readonly fringe: 'side' | 'full' | 'back' | 'centre';
  readonly garment: Garment;
  readonly top: string;
  readonly under: string;
  readonly bottom: string;
  /** Shoulder width as a factor. */
  readonly build: number;
  /** Height as a factor of an adult's. */
  readonly stature: number;
  /** Height in heads. */
  readonly heads: number;
  readonly glasses: boolean;
  readonly beard: 'none' | 'moustache' | 'full';
  readonly hat: 'none' | 'cap' | 'beanie' | 'brim';
  readonly scarf: string | undefined;
  readonly bag: boolean;
  readonly old: boolean;
}

const TOPS = [
  '#a5483f',
  '#3f6b7d',
  '#c08a3a',
  '#5f7a4c',
  '#6f5a86',
  '#b36a4a',
  '#37506f',
  '#8c8a52',
  '#98586f',
  '#4f7f76',
  '#7a6552',
  '#c9a75a',
] as const;
const BOTTOMS = ['#3f4654', '#5a4b40', '#4f5a4c', '#6b675f', '#37404a', '#7a6a55'] as const;
const SKINS = ['#f2d3b8', '#e8bf9d', '#d9a67f', '#bf875f', '#96643f', '#f5dcc6'] as const;
const HAIRS = ['#2c2522', '#4a352a', '#6d4a31', '#9a6a3c', '#8f4a32', '#c9a466', '#3a3030'] as const;
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/mail ?box|post ?box|우체통/i, 'mailbox'],
  [/\b(dog|puppy|hound)\b|강아지|멍멍이/i, 'dog'],
  [/\b(cat|kitten)\b|고양이/i, 'cat'],
  [/\b(robot|android|drone|machine)\b|로봇|기계/i, 'robot'],
];

/** Many Western first names tell by their ending; wrong guesses are corrected by a word in the description. */
function genderGuess(plain: string): boolean | undefined {
  const first = plain.split(/[\s,.-]+/)[0] ?? '';
  if (!/^[A-Z]{3,}$/.test(first)) return undefined;
  if (/(A|IE|INE|ELLE|ETTE|IT|IS|YN|EN[AE])$/.test(first)) return true;
  if (/(O|US|R|K|D|RT|LF|ST|IM|AM|AN|ON)$/.test(first)) return false;
  return undefined;
}

/** The looks of a person (or of a mailbox that talks), the same for every spelling of case, brackets and Unicode form. */
export function lookOf(name: string, description: string): Look {
  const plain = name
    .normalize('NFC')
    .replace(/\(.*?\)/g, '')
    .trim()
    .toUpperCase();
  const random = randomFrom(`look:${plain}`);
  const says = (pattern: RegExp): boolean => pattern.test(description) || pattern.test(name);
  const age = Number(/(?:^|\D)(\d{1,3})(?:\D|$)/.exec(description)?.[1] ?? NaN);
  const child = age < 13 || says(/\b(child|boy|girl|kid|baby)\b|아이|소년|소녀|꼬마|어린/i);
  const young = child || age < 26;
  const old =
    (age >= 58 && age < 130) || says(/(?<!\byears?[- ])\b(old|elderly|grand\w+|retired)\b|노인|할머니|할아버지|늙은/i);
  const woman = says(
    /\b(woman|girl|she|her|mother|wife|sister|lady|nurse|queen|grandmother|aunt|daughter)\b|여자|여성|소녀|어머니|엄마|할머니|누나|언니|이모/i,
  );
  const man =
    !woman &&
    says(
      /\b(man|boy|he|his|father|husband|brother|gentleman|king|grandfather|uncle|son)\b|남자|남성|소년|아버지|아빠|할아버지|형|삼촌/i,
    );
  const guess = genderGuess(plain);
  const feminine = woman || (!man && (guess ?? random.chance(0.5)));
  const korean = /\p{Script=Hangul}/u.test(plain);
  const hairs: readonly [Hair, ...Hair[]] = feminine
    ? ['bob', 'long', 'ponytail', 'bun', 'curly', 'wavy']
    : old
      ? ['bald', 'short', 'short', 'tousled']
      : ['short', 'spiky', 'tousled', 'short', 'tousled'];
  const garments: readonly [Garment, ...Garment[]] = feminine
    ? ['dress', 'cardigan', 'coat', 'jacket', 'hoodie']
    : ['coat', 'jacket', 'shirt', 'hoodie', 'cardigan'];
  const told = traitsOf(description);
  // The order of the draws is fixed: a word in the description replaces one trait and leaves the others as they are.
  const drawn = {
    skin: random.pick(SKINS),
    hair: random.pick(hairs),
    colour: random.pick(HAIRS),
    fringe: random.pick(['side', 'full', 'back', 'centre'] as const),
    garment: random.pick(garments),
    top: random.pick(TOPS),
    under: random.pick(['#ece4d2', '#d4c7a8', '#b9c4c6', '#7d8791']),
    bottom: random.pick(BOTTOMS),
    build: random.between(0.88, 1.14),
    tall: random.between(0.94, 1.05),
    glasses: random.chance(0.22),
    beard: random.next(),
    hat: random.next(),
    scarf: random.next(),
    scarfColour: random.pick(TOPS),
  };
  return {
    kind: KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'human',
    skin: korean ? random.pick(['#f3d8be', '#ecc9a6', '#e3ba94']) : drawn.skin,
    hair: told.hair === 'curly' && !feminine ? 'tousled' : (told.hair ?? drawn.hair),
    hairColour:
      told.hairColour ??
      (old
        ? random.pick(['#c9c6bf', '#a9a6a1', '#dedbd3'])
        : korean
          ? random.pick(['#26211f', '#352a27', '#1f2226'])
          : drawn.colour),
    fringe: drawn.fringe,
    garment: told.garment ?? drawn.garment,
    top: told.top ?? drawn.top,
    under: drawn.under,
    bottom: drawn.bottom,
    build: (told.build ?? drawn.build) * (feminine ? 0.9 : 1) * (child ? 0.86 : 1),
    stature: (child ? 0.68 : 1) * (told.stature ?? drawn.tall) * (feminine ? 0.96 : 1),
    heads: child ? 4.9 : 6.3,
    glasses: says(/glasses|spectacles|안경/i) || drawn.glasses,
    beard: says(/\bbeard|수염/i)
      ? 'full'
      : feminine || young
        ? 'none'
        : drawn.beard < 0.2
          ? 'full'
          : drawn.beard < 0.36
            ? 'moustache'
            : 'none',
    hat: says(/\b(cap|captain|driver|postman|courier)\b|모자|배달/i)
      ? 'cap'
      : drawn.hat < 0.08
        ? 'brim'
        : drawn.hat < 0.14
          ? 'beanie'
          : drawn.hat < 0.19
            ? 'cap'
            : 'none',
    scarf: says(/scarf|목도리/i) || drawn.scarf < 0.14 ? drawn.scarfColour : undefined,
    bag: says(/\bbag|courier|satchel|backpack|가방|배달/i),
    old,
  };
}
