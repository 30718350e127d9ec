import type { Light } from './light';
import type { Pen } from './pen';
import type { Random } from './random';

/** What a painter of places works with: a picture of w × h units whose figures stand on `ground`. */
export interface Stage {
  readonly pen: Pen;
  /** Seeded by the place alone, so that a place looks the same in every shot. */
  readonly random: Random;
  readonly light: Light;
  readonly w: number;
  readonly h: number;
  /** Where the eye's height meets the distance, y in units. */
  readonly horizon: number;
  /** All that the card says, for details of the place. */
  readonly text: string;
  /** Glows are painted after the grading, or they would be dimmed by it. */
  readonly glows: Glow[];
}

export interface Glow {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: string;
  readonly strength: number;
}
