import { darker } from '../colour';
import type { Pen, Point } from '../pen';
import { bagStrap, body, nearArm } from './body';
import { creature } from './creature';
import type { Expression } from './expression';
import { face } from './face';
import { frameFigure, type FigureFrame, type Placement } from './frame';
import { beard, hairBehind, hairInFront, hat } from './hair';
import type { Look } from './look';
import type { Pose } from './pose';

export interface DrawnFigure {
  /** Where the hand is that may hold a prop. */
  readonly hand: Point;
  /** Middle of the crown. */
  readonly crown: Point;
  /** Height of the head, units of the picture. */
  readonly head: number;
}

/** Draws one figure. Answers where its hand and head are, for props and the name tag. */
export function figure(pen: Pen, look: Look, pose: Pose, expression: Expression, place: Placement): DrawnFigure {
  const frame = frameFigure(pen, look, pose, expression, place);
  if (look.kind !== 'human') {
    creature(frame, place);
    return { hand: frame.at(0.9, 2.4), crown: frame.at(0, 0), head: frame.head };
  }
  hairBehind(frame);
  neck(frame);
  body(frame);
  scarf(frame);
  bagStrap(frame);
  skull(frame);
  face(frame);
  beard(frame);
  hairInFront(frame);
  hat(frame);
  const hand = nearArm(frame);
  return { hand, crown: frame.at(0, 0), head: frame.head };
}

function neck(frame: FigureFrame): void {
  const { pen, look, rim, at } = frame;
  pen.shape([at(-0.16, 0.85), at(0.16, 0.85), at(0.19, 1.28), at(0, 1.36), at(-0.19, 1.28)], darker(look.skin, 0.14), {
    width: rim * 0.8,
  });
}

function scarf(frame: FigureFrame): void {
  const { pen, look, rim, head, at } = frame;
  if (look.scarf === undefined) return;
  pen.outline([at(-0.36, 1.18), at(0, 1.06), at(0.36, 1.18), at(0.34, 1.42), at(0, 1.5), at(-0.34, 1.42)], look.scarf, {
    width: rim,
  });
  pen.limb([at(0.2, 1.4), at(0.28, 1.8), at(0.24, 2.2)], head * 0.2, look.scarf, rim);
}

function skull(frame: FigureFrame): void {
  const { pen, look, rim, head, at } = frame;
  const turn = frame.facing * 0.06;
  for (const side of [-1, 1]) {
    if (side === frame.facing) continue;
    pen.ellipse(...at(side * 0.4, 0.57), head * 0.075, head * 0.11, darker(look.skin, 0.08), { width: rim * 0.9 });
  }
  pen.outline(
    [
      at(-0.38, 0.36),
      at(-0.37, 0.62),
      at(-0.24 + turn, 0.9),
      at(turn * 1.3, 1.01),
      at(0.24 + turn, 0.9),
      at(0.37, 0.62),
      at(0.38, 0.36),
      at(0.24, 0.08),
      at(0, 0),
      at(-0.24, 0.08),
    ],
    look.skin,
    { width: rim },
  );
  pen.ctx.globalAlpha = 0.11;
  const shade = frame.facing === 0 ? 1 : -frame.facing;
  pen.outline(
    [
      at(shade * 0.37, 0.4),
      at(shade * 0.35, 0.64),
      at(shade * 0.22 + turn, 0.9),
      at(turn, 0.99),
      at(shade * 0.16, 0.8),
      at(shade * 0.25, 0.55),
    ],
    darker(look.skin, 0.6),
  );
  pen.ctx.globalAlpha = 1;
}
