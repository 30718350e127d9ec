import { luminance, mix, toHex, toRgb } from './colour';

/** How the words of `style` change ink, wash and paper. */
export interface Style {
  readonly ink: string;
  readonly paper: string;
  /** Factor on the width of every line. */
  readonly lineWeight: number;
  /** 0 grey, 1 as mixed. */
  readonly saturation: number;
  /** Above 1: darks darker and lights lighter. */
  readonly contrast: number;
  /** How much every colour is thinned with the paper's, 0 to 1. */
  readonly pale: number;
  /** Strength of stains and uneven wash, 0 to 1. */
  readonly stain: number;
  /** Strength of hatching and dots, 0 to 1. */
  readonly hatching: number;
  readonly halftone: boolean;
  /** Hard shadows from the side. */
  readonly shadowSlats: boolean;
}

const BOARD: Style = {
  ink: '#2b2a33',
  paper: '#f6f0e2',
  lineWeight: 1,
  saturation: 0.96,
  contrast: 1.08,
  pale: 0.05,
  stain: 0.5,
  hatching: 0.55,
  halftone: false,
  shadowSlats: false,
};

const VARIANTS: readonly (readonly [RegExp, Partial<Style>])[] = [
  [
    /water ?colou?r|aquarell|수채/i,
    {
      ink: '#4a4038',
      paper: '#fbf7ec',
      lineWeight: 0.75,
      saturation: 1.12,
      contrast: 0.94,
      pale: 0.16,
      stain: 1,
      hatching: 0.15,
    },
  ],
  [
    /pencil|graphite|sketch|연필|스케치/i,
    {
      ink: '#4b4b50',
      paper: '#f4f2ec',
      lineWeight: 0.8,
      saturation: 0.18,
      contrast: 0.98,
      pale: 0.42,
      stain: 0.2,
      hatching: 1,
    },
  ],
  [
    /comic|cartoon|manga|webtoon|anime|만화|웹툰/i,
    {
      ink: '#17161c',
      paper: '#fffdf6',
      lineWeight: 1.35,
      saturation: 1.3,
      contrast: 1.12,
      stain: 0.1,
      hatching: 0.3,
      halftone: true,
    },
  ],
  [
    /noir|black.and.white|monochrome|흑백|느와르/i,
    {
      ink: '#0d0d10',
      paper: '#f1efe9',
      lineWeight: 1.2,
      saturation: 0,
      contrast: 1.5,
      stain: 0.25,
      hatching: 0.9,
      shadowSlats: true,
    },
  ],
  [/pastel|soft|파스텔/i, { saturation: 0.75, contrast: 0.86, stain: 0.8, hatching: 0.1 }],
  [/vivid|pop|neon|bright/i, { saturation: 1.4, contrast: 1.1 }],
];

/** Reads the project's `style`; words it does not know leave the house style: ink and wash. */
export function styleOf(words: string): Style {
  const found = VARIANTS.filter(([pattern]) => pattern.test(words)).map(([, change]) => change);
  return Object.assign({}, BOARD, ...found) as Style;
}

/** One colour as this style would paint it. */
export function tone(hex: string, style: Style): string {
  const grey = luminance(hex) * 255;
  const [r, g, b] = toRgb(hex);
  const shift = (part: number): number => (grey + (part - grey) * style.saturation - 118) * style.contrast + 128;
  return mix(toHex([shift(r), shift(g), shift(b)]), style.paper, style.pale);
}
