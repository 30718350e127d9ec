export interface Expression {
  /** Above 0 the corners go up. */
  readonly smile: number;
  /** Above 0 the inner ends of the brows go down: anger; below: worry. */
  readonly frown: number;
  /** 1 as usual, above: wide. */
  readonly eyes: number;
  readonly brows: number;
  /** How far the mouth is open, 0 to 1. */
  readonly mouth: number;
}

const CALM: Expression = { smile: 0.1, frown: 0, eyes: 1, brows: 0, mouth: 0 };

const FACES: readonly (readonly [RegExp, Expression])[] = [
  [/laugh|joy|cheer|funny|웃|기쁨|유쾌|즐거/i, { smile: 1, frown: 0, eyes: 0.75, brows: 0.3, mouth: 0.6 }],
  [
    /happy|comic|warm|tender|hope|smil|gentle|content|따뜻|행복|다정|희망|잔잔/i,
    { smile: 0.7, frown: 0, eyes: 0.95, brows: 0.15, mouth: 0 },
  ],
  [
    /angry|anger|rage|furious|fight|hostile|분노|화난|격노/i,
    { smile: -0.6, frown: 0.9, eyes: 0.85, brows: -0.2, mouth: 0.2 },
  ],
  [
    /surpris|urgent|startl|shock|amaz|astonish|wonder|놀라|놀란|경악|신기/i,
    { smile: 0, frown: -0.2, eyes: 1.35, brows: 0.8, mouth: 0.55 },
  ],
  [
    /fear|afraid|terror|scare|panic|horror|공포|두려|무서/i,
    { smile: -0.5, frown: -0.8, eyes: 1.3, brows: 0.6, mouth: 0.4 },
  ],
  [
    /sad|tired|grief|melanchol|cry|tear|lonely|sorrow|wistful|슬픔|슬픈|눈물|외로|쓸쓸/i,
    { smile: -0.7, frown: -0.8, eyes: 0.8, brows: 0.1, mouth: 0 },
  ],
  [
    /tense|expectant|questioning|thoughtful|suspen|serious|worr|anxi|uneasy|ominous|eerie|긴장|불안|심각|초조/i,
    { smile: -0.3, frown: 0.35, eyes: 1.05, brows: 0, mouth: 0 },
  ],
];

/** The face that goes with the mood; one who speaks has the mouth open. */
export function expressionOf(mood: string, speaks: boolean): Expression {
  const found = FACES.find(([pattern]) => pattern.test(mood))?.[1] ?? CALM;
  return speaks ? { ...found, mouth: Math.max(found.mouth, 0.5) } : found;
}
