import { darker, lighter } from '../colour';
import type { Point } from '../pen';
import type { FigureFrame } from './frame';

/** What hangs behind the head: before the face. */
export function hairBehind(frame: FigureFrame): void {
  const { pen, look, rim, head, at } = frame;
  const back = -frame.facing;
  const fill = darker(look.hairColour, 0.15);
  const stroke = { width: rim };
  switch (look.hair) {
    case 'bob':
      pen.outline(
        [
          at(-0.46, 0.3),
          at(-0.53, 0.75),
          at(-0.4, 1.08),
          at(0, 1.02),
          at(0.4, 1.08),
          at(0.53, 0.75),
          at(0.46, 0.3),
          at(0, -0.1),
        ],
        fill,
        stroke,
      );
      break;
    case 'long':
    case 'wavy': {
      const wave = look.hair === 'wavy' ? 0.07 : 0;
      pen.outline(
        [
          at(-0.46, 0.3),
          at(-0.54 - wave, 0.8),
          at(-0.48 + wave, 1.2),
          at(-0.56 - wave, 1.72),
          at(-0.2, 1.82),
          at(0.2, 1.82),
          at(0.56 + wave, 1.72),
          at(0.48 - wave, 1.2),
          at(0.54 + wave, 0.8),
          at(0.46, 0.3),
          at(0, -0.1),
        ],
        fill,
        stroke,
      );
      break;
    }
    case 'ponytail': {
      const side = back === 0 ? 1 : back;
      pen.outline(
        [
          at(side * 0.3, 0.1),
          at(side * 0.66, 0.16),
          at(side * 0.78, 0.6),
          at(side * 0.66, 1.25),
          at(side * 0.54, 0.7),
          at(side * 0.36, 0.42),
        ],
        fill,
        stroke,
      );
      break;
    }
    case 'bun':
      pen.ellipse(...at(back * 0.3, -0.1), head * 0.22, head * 0.2, fill, stroke);
      break;
    case 'curly':
      for (const [x, y] of [
        [-0.46, 0.3],
        [-0.5, 0.58],
        [0.46, 0.3],
        [0.5, 0.58],
        [-0.3, 0],
        [0.3, 0],
        [0, -0.1],
        [-0.42, 0.8],
        [0.42, 0.8],
      ] as const)
        pen.ellipse(...at(x, y), head * 0.19, head * 0.18, fill, stroke);
      break;
    case 'tousled':
      for (const [x, y] of [
        [-0.42, 0.34],
        [0.42, 0.34],
        [-0.34, 0.08],
        [0.34, 0.08],
        [-0.12, -0.08],
        [0.14, -0.09],
      ] as const)
        pen.ellipse(...at(x, y), head * 0.15, head * 0.14, fill, stroke);
      break;
    case 'short':
    case 'spiky':
    case 'bald':
      break;
  }
}

/** Crown and fringe: after the face. */
export function hairInFront(frame: FigureFrame): void {
  const { pen, look, rim, at } = frame;
  const stroke = { width: rim };
  if (look.hair === 'bald') {
    for (const side of [-1, 1])
      pen.outline(
        [
          at(side * 0.33, 0.36),
          at(side * 0.43, 0.34),
          at(side * 0.46, 0.56),
          at(side * 0.39, 0.66),
          at(side * 0.36, 0.5),
        ],
        look.hairColour,
        stroke,
      );
    pen.curve([at(-0.12, 0.05), at(-0.02, 0.03), at(0.1, 0.06)], { width: rim * 0.7, alpha: 0.35 });
    return;
  }
  const temple = look.hair === 'short' || look.hair === 'spiky' || look.hair === 'tousled' ? 0.56 : 0.7;
  const crown: Point[] = [at(-0.4, temple), at(-0.45, 0.32), at(-0.34, 0.04)];
  if (look.hair === 'spiky')
    for (const [x, y] of [
      [-0.26, -0.16],
      [-0.16, -0.02],
      [-0.04, -0.22],
      [0.08, -0.04],
      [0.24, -0.18],
      [0.28, 0],
    ] as const)
      crown.push(at(x, y));
  else crown.push(at(-0.12, -0.08), at(0.14, -0.08));
  crown.push(at(0.34, 0.04), at(0.45, 0.32), at(0.4, temple));
  pen.outline([...crown, ...hairline(frame)], look.hairColour, stroke);
  for (const x of [-0.2, -0.05, 0.12])
    pen.curve([at(x, 0), at(x - 0.05, 0.1), at(x - 0.04, 0.2)], {
      width: rim * 0.7,
      colour: lighter(look.hairColour, 0.28),
      alpha: 0.7,
    });
}

function hairline(frame: FigureFrame): Point[] {
  const { at, look } = frame;
  const turn = frame.facing * 0.06;
  switch (look.fringe) {
    case 'full':
      return [at(0.35, 0.42), at(0.22, 0.34), at(turn, 0.37), at(-0.22, 0.34), at(-0.35, 0.42)];
    case 'centre':
      return [at(0.36, 0.46), at(0.27, 0.28), at(turn, 0.12), at(-0.27, 0.28), at(-0.36, 0.46)];
    case 'back':
      return [at(0.36, 0.4), at(0.27, 0.18), at(turn, 0.13), at(-0.27, 0.18), at(-0.36, 0.4)];
    case 'side':
      return [at(0.36, 0.44), at(0.3, 0.27), at(0.12 + turn, 0.17), at(-0.16, 0.34), at(-0.36, 0.44)];
  }
}

export function beard(frame: FigureFrame): void {
  const { pen, look, rim, at } = frame;
  const turn = frame.facing * 0.08;
  if (look.beard === 'none' || frame.head < 14) return;
  const colour = darker(look.hairColour, 0.06);
  if (look.beard === 'full')
    pen.outline(
      [
        at(-0.37, 0.6),
        at(-0.3, 0.92),
        at(turn * 0.6, 1.1),
        at(0.3, 0.92),
        at(0.37, 0.6),
        at(0.26, 0.74),
        at(turn + 0.12, 0.74),
        at(turn, 0.72),
        at(turn - 0.12, 0.74),
        at(-0.26, 0.74),
      ],
      colour,
      { width: rim },
    );
  pen.outline(
    [
      at(turn - 0.17, 0.78),
      at(turn - 0.08, 0.725),
      at(turn, 0.74),
      at(turn + 0.08, 0.725),
      at(turn + 0.17, 0.78),
      at(turn, 0.765),
    ],
    colour,
    { width: rim * 0.8 },
  );
}

export function hat(frame: FigureFrame): void {
  const { pen, look, rim, at, head } = frame;
  const towards = frame.facing === 0 ? 0.15 : frame.facing;
  const stroke = { width: rim };
  if (look.hat === 'cap') {
    pen.outline(
      [at(-0.47, 0.24), at(-0.42, -0.06), at(0, -0.2), at(0.42, -0.06), at(0.47, 0.24), at(0, 0.2)],
      darker(look.top, 0.2),
      stroke,
    );
    pen.outline(
      [
        at(-0.42 + towards * 0.18, 0.22),
        at(0.42 + towards * 0.18, 0.22),
        at(0.4 + towards * 0.42, 0.32),
        at(-0.34 + towards * 0.36, 0.32),
      ],
      darker(look.top, 0.4),
      stroke,
    );
  } else if (look.hat === 'beanie') {
    pen.outline(
      [at(-0.46, 0.26), at(-0.42, -0.08), at(0, -0.24), at(0.42, -0.08), at(0.46, 0.26)],
      look.scarf ?? darker(look.top, 0.1),
      stroke,
    );
    pen.limb([at(-0.42, 0.22), at(0, 0.26), at(0.42, 0.22)], head * 0.14, lighter(look.scarf ?? look.top, 0.2), rim);
  } else if (look.hat === 'brim') {
    pen.outline(
      [at(-0.74, 0.2), at(-0.3, 0.12), at(0.3, 0.12), at(0.74, 0.2), at(0.3, 0.28), at(-0.3, 0.28)],
      '#5b5248',
      stroke,
    );
    pen.outline([at(-0.4, 0.18), at(-0.36, -0.2), at(0, -0.16), at(0.36, -0.2), at(0.4, 0.18)], '#6a6054', stroke);
    pen.curve([at(-0.4, 0.12), at(0, 0.16), at(0.4, 0.12)], { width: rim * 2.4, colour: '#3d362f' });
  }
}
