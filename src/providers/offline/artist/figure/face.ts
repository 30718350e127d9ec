import { darker, lighter, mix } from '../colour';
import type { FigureFrame } from './frame';

/** Eyes, brows, nose, mouth; dots and dashes where the head is too small for more. */
export function face(frame: FigureFrame): void {
  const turn = frame.facing * 0.1;
  if (frame.head < 34) return smallFace(frame, turn);
  cheeks(frame, turn);
  for (const side of [-1, 1] as const) {
    eye(frame, turn, side);
    brow(frame, turn, side);
  }
  nose(frame, turn);
  mouth(frame, turn);
  if (frame.look.old) wrinkles(frame, turn);
  if (frame.look.glasses) glasses(frame, turn);
}

function eyeX(turn: number, side: number): number {
  // The eye on the far side of a turned head stands closer to the middle.
  return turn + side * (0.17 - Math.max(0, side * turn) * 0.25);
}

function smallFace(frame: FigureFrame, turn: number): void {
  const { pen, head, at, expression, look } = frame;
  const { ctx } = pen;
  ctx.fillStyle = pen.colour('#211d22');
  for (const side of [-1, 1]) {
    ctx.beginPath();
    ctx.arc(...at(eyeX(turn, side), 0.54), Math.max(0.9, head * 0.045), 0, Math.PI * 2);
    ctx.fill();
  }
  if (head < 16) return;
  pen.curve(
    [
      at(turn - 0.1, 0.8 - expression.smile * 0.02),
      at(turn, 0.8 + expression.smile * 0.05),
      at(turn + 0.1, 0.8 - expression.smile * 0.02),
    ],
    { width: Math.max(0.9, head * 0.03), alpha: 0.8 },
  );
  if (look.glasses)
    for (const side of [-1, 1])
      pen.ellipse(...at(eyeX(turn, side), 0.54), head * 0.12, head * 0.1, undefined, { width: 1 });
}

function cheeks(frame: FigureFrame, turn: number): void {
  const { pen, head, at, look } = frame;
  const { ctx } = pen;
  const blush = mix(look.skin, '#c9604f', 0.6);
  for (const side of [-1, 1]) {
    const [x, y] = at(turn + side * 0.21, 0.69);
    const radius = head * 0.12;
    const gradient = ctx.createRadialGradient(x, y, 0, x, y, radius);
    gradient.addColorStop(0, pen.colour(blush, 0.42));
    gradient.addColorStop(1, pen.colour(blush, 0.001));
    ctx.fillStyle = gradient;
    ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  }
}

function eye(frame: FigureFrame, turn: number, side: 1 | -1): void {
  const { pen, head, rim, at, expression, look } = frame;
  const x = eyeX(turn, side);
  const open = 0.052 * expression.eyes;
  const half = 0.085;
  pen.outline(
    [
      at(x - half, 0.54),
      at(x - half * 0.4, 0.54 - open),
      at(x + half * 0.4, 0.54 - open),
      at(x + half, 0.54),
      at(x + half * 0.4, 0.54 + open * 0.75),
      at(x - half * 0.4, 0.54 + open * 0.75),
    ],
    '#fbf8f0',
    { width: rim * 0.45, alpha: 0.5 },
  );
  const gaze = x + frame.facing * 0.022;
  const iris = head * 0.043;
  const hue = mix(look.hairColour, '#5f6f6a', 0.45);
  pen.ellipse(...at(gaze, 0.54), iris, Math.min(iris, open * head * 0.95), darker(hue, 0.3));
  pen.ellipse(...at(gaze, 0.54), iris * 0.5, Math.min(iris * 0.5, open * head * 0.8), '#17161a');
  if (head > 60) pen.ellipse(...at(gaze + 0.014, 0.524), iris * 0.2, iris * 0.2, '#ffffff');
  pen.curve(
    [
      at(x - half * 1.08, 0.545),
      at(x - half * 0.4, 0.535 - open * 1.15),
      at(x + half * 0.4, 0.535 - open * 1.15),
      at(x + half * 1.08, 0.545),
    ],
    { width: rim * 1.35 },
  );
  if (head > 150) {
    pen.curve([at(x - half * 0.9, 0.5 - open), at(x, 0.485 - open * 1.2), at(x + half * 0.9, 0.5 - open)], {
      width: rim * 0.6,
      alpha: 0.5,
    });
    pen.curve([at(x - half * 0.7, 0.56 + open), at(x, 0.585 + open), at(x + half * 0.7, 0.56 + open)], {
      width: rim * 0.5,
      alpha: 0.3,
    });
  }
}

function brow(frame: FigureFrame, turn: number, side: 1 | -1): void {
  const { pen, rim, at, expression, look } = frame;
  const x = eyeX(turn, side);
  const y = 0.425 - expression.brows * 0.045;
  const inner = expression.frown * 0.05;
  const colour =
    look.hairColour === '#dedbd3' || look.hairColour === '#c9c6bf' ? '#8d8983' : darker(look.hairColour, 0.25);
  pen.curve([at(x - side * 0.1, y + inner), at(x, y - 0.022), at(x + side * 0.11, y + 0.02 - inner * 0.4)], {
    width: rim * 1.9,
    colour,
  });
}

function nose(frame: FigureFrame, turn: number): void {
  const { pen, rim, at, look, head } = frame;
  const side = frame.facing === 0 ? 1 : frame.facing;
  pen.curve(
    [at(turn * 1.2 + side * 0.01, 0.56), at(turn * 1.5 + side * 0.06, 0.67), at(turn * 1.2 - side * 0.01, 0.7)],
    { width: rim * 0.85, alpha: 0.75 },
  );
  if (head > 60) {
    pen.ctx.globalAlpha = 0.22;
    pen.outline(
      [at(turn * 1.2, 0.6), at(turn * 1.3 - side * 0.06, 0.69), at(turn * 1.2, 0.705)],
      darker(look.skin, 0.5),
    );
    pen.ctx.globalAlpha = 1;
  }
}

function mouth(frame: FigureFrame, turn: number): void {
  const { pen, rim, at, expression, look } = frame;
  const up = expression.smile * 0.035;
  const half = 0.115 - Math.max(0, expression.mouth - 0.5) * 0.05;
  const y = 0.81;
  if (expression.mouth > 0.15) {
    const open = 0.03 + expression.mouth * 0.06;
    pen.outline(
      [
        at(turn - half, y - up),
        at(turn, y - 0.018 + up * 0.3),
        at(turn + half, y - up),
        at(turn + half * 0.5, y + open),
        at(turn - half * 0.5, y + open),
      ],
      '#6d2f2f',
      { width: rim },
    );
    pen.outline(
      [
        at(turn - half * 0.6, y - up * 0.4),
        at(turn + half * 0.6, y - up * 0.4),
        at(turn + half * 0.5, y + 0.02),
        at(turn - half * 0.5, y + 0.02),
      ],
      '#f4eee2',
    );
    return;
  }
  pen.curve([at(turn - half, y - up), at(turn, y + up), at(turn + half, y - up)], { width: rim * 1.25 });
  pen.curve(
    [at(turn - half * 0.5, y + 0.05 + up * 0.5), at(turn, y + 0.062 + up), at(turn + half * 0.5, y + 0.05 + up * 0.5)],
    { width: rim * 0.8, colour: darker(look.skin, 0.35), alpha: 0.6 },
  );
}

function wrinkles(frame: FigureFrame, turn: number): void {
  const { pen, rim, at } = frame;
  for (const side of [-1, 1]) {
    pen.curve([at(turn + side * 0.13, 0.69), at(turn + side * 0.19, 0.75), at(turn + side * 0.18, 0.82)], {
      width: rim * 0.6,
      alpha: 0.4,
    });
    pen.curve([at(turn + side * 0.1, 0.605), at(turn + side * 0.17, 0.625), at(turn + side * 0.24, 0.6)], {
      width: rim * 0.55,
      alpha: 0.35,
    });
  }
  for (const y of [0.25, 0.31])
    pen.curve([at(turn - 0.18, y), at(turn, y - 0.015), at(turn + 0.18, y)], { width: rim * 0.55, alpha: 0.3 });
}

function glasses(frame: FigureFrame, turn: number): void {
  const { pen, head, rim, at } = frame;
  for (const side of [-1, 1]) {
    pen.ctx.globalAlpha = 0.25;
    pen.ellipse(...at(eyeX(turn, side), 0.545), head * 0.125, head * 0.105, lighter('#bcd2d6', 0.3));
    pen.ctx.globalAlpha = 1;
    pen.ellipse(...at(eyeX(turn, side), 0.545), head * 0.125, head * 0.105, undefined, { width: rim * 1.1 });
    pen.line(at(eyeX(turn, side) + side * 0.12, 0.53), at(side * 0.385, 0.5), { width: rim });
  }
  pen.curve([at(eyeX(turn, -1) + 0.12, 0.53), at(turn, 0.51), at(eyeX(turn, 1) - 0.12, 0.53)], { width: rim });
}
