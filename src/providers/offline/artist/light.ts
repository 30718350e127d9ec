/** What the time of day does to sky, shadows and lamps. */
export interface Light {
  readonly time: TimeOfDay;
  readonly sky: readonly [string, string, string];
  /** Laid over everything out of doors, multiplied. */
  readonly grade: string;
  /** The same for rooms, where lamps help. */
  readonly roomGrade: string;
  readonly lampsLit: boolean;
  readonly sun: 'low' | 'high' | 'none';
  readonly moon: boolean;
  /** Length of shadows on the ground, in heights of the thing. */
  readonly shadow: number;
}

export type TimeOfDay = 'dawn' | 'morning' | 'day' | 'evening' | 'dusk' | 'night';

const LIGHTS: Readonly<Record<TimeOfDay, Light>> = {
  dawn: {
    time: 'dawn',
    sky: ['#7f95b8', '#e3b9a8', '#f8dfbb'],
    grade: '#e9d9dc',
    roomGrade: '#dcd3dd',
    lampsLit: true,
    sun: 'low',
    moon: false,
    shadow: 0.9,
  },
  morning: {
    time: 'morning',
    sky: ['#9cc3de', '#dbe9e6', '#fbf1d6'],
    grade: '#fff6e4',
    roomGrade: '#fff5e2',
    lampsLit: false,
    sun: 'low',
    moon: false,
    shadow: 0.6,
  },
  day: {
    time: 'day',
    sky: ['#7fb2dc', '#bfdcea', '#eef1e3'],
    grade: '#ffffff',
    roomGrade: '#fffdf8',
    lampsLit: false,
    sun: 'high',
    moon: false,
    shadow: 0.25,
  },
  evening: {
    time: 'evening',
    sky: ['#6377ab', '#e29478', '#f9cd86'],
    grade: '#f7d9b8',
    roomGrade: '#f2d6b4',
    lampsLit: true,
    sun: 'low',
    moon: false,
    shadow: 1,
  },
  dusk: {
    time: 'dusk',
    sky: ['#36416f', '#80658f', '#dd8d75'],
    grade: '#bdb0cc',
    roomGrade: '#d6c5c4',
    lampsLit: true,
    sun: 'none',
    moon: false,
    shadow: 0.5,
  },
  night: {
    time: 'night',
    sky: ['#101831', '#22325a', '#41557f'],
    grade: '#7f8cb8',
    roomGrade: '#bdb0bd',
    lampsLit: true,
    sun: 'none',
    moon: true,
    shadow: 0.3,
  },
};

const WORDS: readonly (readonly [RegExp, TimeOfDay])[] = [
  [/dawn|sunrise|before dawn|새벽|동틀/i, 'dawn'],
  [/dusk|twilight|황혼|해질/i, 'dusk'],
  [/evening|sunset|golden hour|magic hour|저녁|노을|석양/i, 'evening'],
  [/night|midnight|밤|심야|자정/i, 'night'],
  [/morning|아침|오전/i, 'morning'],
  [/day|noon|낮|오후|정오/i, 'day'],
];

/** The first text that names a time decides; where none does, it is day. */
export function lightOf(...texts: readonly string[]): Light {
  for (const text of texts) {
    const found = WORDS.find(([pattern]) => pattern.test(text));
    if (found) return LIGHTS[found[1]];
  }
  return LIGHTS.day;
}
