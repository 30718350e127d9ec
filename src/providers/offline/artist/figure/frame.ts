import type { Pen, Point } from '../pen';
import type { Expression } from './expression';
import type { Look } from './look';
import type { Pose } from './pose';

/** Where a figure stands, in units of the picture. */
export interface Placement {
  readonly x: number;
  /** Where its feet are; may be far below the picture. */
  readonly footY: number;
  /** Of an adult; the look's stature makes it more or less. */
  readonly height: number;
  /** Looks to the left (-1), at us (0) or to the right (1). */
  readonly facing: -1 | 0 | 1;
}

/** A figure about to be drawn: all measures come from `head`, the height of its head. */
export interface FigureFrame {
  readonly pen: Pen;
  readonly look: Look;
  readonly pose: Pose;
  readonly expression: Expression;
  readonly facing: number;
  /** Height of the head in units of the picture. */
  readonly head: number;
  /** Width of the ink on this figure. */
  readonly rim: number;
  /** Half the width of the shoulders, in heads. */
  readonly shoulder: number;
  /** A point in heads from the middle of the crown; x to the right of the picture. */
  at(x: number, y: number): Point;
}

export function frameFigure(pen: Pen, look: Look, pose: Pose, expression: Expression, place: Placement): FigureFrame {
  const head = (place.height * look.stature) / look.heads;
  const drop = pose.legs === 'sit' ? look.heads * 0.17 : pose.legs === 'run' ? 0.14 : 0;
  const top = place.footY - head * (look.heads - drop);
  return {
    pen,
    look,
    pose,
    expression,
    facing: place.facing,
    head,
    rim: Math.min(4.2, Math.max(0.9, head * 0.024)),
    shoulder: 0.76 * look.build,
    at: (x, y) => [place.x + x * head, top + y * head],
  };
}
