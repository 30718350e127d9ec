/** How close the camera is, and what that does to figures and background. */
export interface Framing {
  readonly size:
    | 'extreme_wide'
    | 'wide'
    | 'full'
    | 'medium'
    | 'medium_close'
    | 'close'
    | 'extreme_close'
    | 'insert'
    | 'over_shoulder';
  readonly label: string;
  /** An adult's height as a share of the picture's. */
  readonly figureHeight: number;
  /** Where the crown is, as a share of the picture's height; undefined: the feet stand on the ground. */
  readonly crown: number | undefined;
  /** How much the place is enlarged behind the figures. */
  readonly zoom: number;
  /** How much the place pales behind them, 0 to 1. */
  readonly fade: number;
  /** At most so many figures. */
  readonly people: number;
}

const FRAMINGS: Readonly<Record<Framing['size'], Framing>> = {
  extreme_wide: {
    size: 'extreme_wide',
    label: 'EWS',
    figureHeight: 0.24,
    crown: undefined,
    zoom: 1,
    fade: 0,
    people: 8,
  },
  wide: { size: 'wide', label: 'WS', figureHeight: 0.5, crown: undefined, zoom: 1, fade: 0.04, people: 6 },
  full: { size: 'full', label: 'FS', figureHeight: 0.74, crown: undefined, zoom: 1.15, fade: 0.1, people: 4 },
  medium: { size: 'medium', label: 'MS', figureHeight: 1.5, crown: 0.13, zoom: 1.4, fade: 0.22, people: 3 },
  medium_close: {
    size: 'medium_close',
    label: 'MCU',
    figureHeight: 2.15,
    crown: 0.11,
    zoom: 1.75,
    fade: 0.3,
    people: 2,
  },
  close: { size: 'close', label: 'CU', figureHeight: 3.3, crown: 0.1, zoom: 2.2, fade: 0.42, people: 1 },
  extreme_close: { size: 'extreme_close', label: 'ECU', figureHeight: 8.2, crown: -0.3, zoom: 3, fade: 0.6, people: 1 },
  insert: { size: 'insert', label: 'INSERT', figureHeight: 0, crown: undefined, zoom: 2.4, fade: 0.5, people: 0 },
  over_shoulder: {
    size: 'over_shoulder',
    label: 'OTS',
    figureHeight: 1.75,
    crown: 0.12,
    zoom: 1.55,
    fade: 0.25,
    people: 2,
  },
};

const WORDS: readonly (readonly [RegExp, Framing['size']])[] = [
  [/over.{0,5}shoulder|\bots\b|어깨/i, 'over_shoulder'],
  [/insert|detail|cutaway|인서트|\bmacro\b/i, 'insert'],
  [/extreme.?close|\becu\b|\bxcu\b|big close|익스트림 ?클로즈/i, 'extreme_close'],
  [/medium.?close|\bmcu\b|bust|바스트|미디엄 ?클로즈/i, 'medium_close'],
  [/close|\bcu\b|클로즈|얼굴/i, 'close'],
  [/extreme.?(wide|long)|\be[wl]s\b|establish|aerial|bird|panorama|원경|익스트림 ?(롱|와이드)/i, 'extreme_wide'],
  [/full|\bfs\b|\bls\b|풀 ?샷|전신/i, 'full'],
  [/medium|\bms\b|mid|waist|two.?shot|cowboy|미디엄|웨이스트|투 ?샷/i, 'medium'],
  [/wide|long|\bws\b|master|group|롱|와이드|마스터/i, 'wide'],
];

/** Reads any name of a shot size; what it does not know is a wide shot. */
export function framingOf(shotSize: string): Framing {
  return FRAMINGS[WORDS.find(([pattern]) => pattern.test(shotSize.replace(/_/g, ' ')))?.[1] ?? 'wide'];
}
