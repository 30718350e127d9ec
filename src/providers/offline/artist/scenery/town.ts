import { darker, lighter, mix } from '../colour';
import type { Stage } from '../stage';

const WALLS = ['#c9b7a0', '#b9a79b', '#c4c0b0', '#a9a6a8', '#cfae96', '#b4b9b3', '#d2c5a6'] as const;

/** Houses side by side that stand on `baseY`; paler the farther (`depth` 0 to 1). */
export function buildings(
  stage: Stage,
  baseY: number,
  low: number,
  high: number,
  depth: number,
  fromX = -20,
  toX = stage.w + 20,
): void {
  const { random } = stage;
  for (let x = fromX; x < toX;) {
    const width = random.between(70, 140) * (1 - depth * 0.4);
    building(stage, x, baseY, Math.min(width, toX - x + 30), random.between(low, high), depth);
    x += width;
  }
}

function building(stage: Stage, x: number, baseY: number, width: number, height: number, depth: number): void {
  const { pen, random, light } = stage;
  const wall = mix(random.pick(WALLS), light.sky[1], depth * 0.65);
  const alpha = 0.75 - depth * 0.45;
  const top = baseY - height;
  if (random.chance(0.4))
    pen.shape(
      [
        [x - 5, top + 2],
        [x + width / 2, top - width * random.between(0.22, 0.4)],
        [x + width + 5, top + 2],
      ],
      darker(mix('#96614f', light.sky[1], depth * 0.6), 0.1),
      { width: 1.4, alpha },
    );
  else pen.rect(x + width * 0.2, top - 12, width * 0.14, 14, darker(wall, 0.2), { width: 1, alpha });
  pen.rect(x, top, width, height, wall, { width: 1.5, alpha });
  const columns = Math.max(2, Math.round(width / 34));
  const rows = Math.max(1, Math.floor(height / 46));
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const wx = x + ((column + 0.5) * width) / columns - 7;
      const wy = top + 14 + row * 44;
      if (wy + 24 > baseY - 8) continue;
      const lit = light.lampsLit && random.chance(0.42);
      pen.rect(wx, wy, 14, 21, lit ? '#ffd98a' : mix('#6f7c8b', light.sky[0], 0.4), { width: 1, alpha });
      if (lit && depth < 0.5) stage.glows.push({ x: wx + 7, y: wy + 10, radius: 30, colour: '#ffd07a', strength: 0.3 });
      pen.line([wx + 7, wy], [wx + 7, wy + 21], { width: 0.8, alpha: alpha * 0.8 });
    }
}

/** A shop front on the ground floor: awning, window, door. */
export function shopFront(stage: Stage, x: number, baseY: number, width: number): void {
  const { pen, random, light } = stage;
  const colour = random.pick(['#a4544a', '#4f7470', '#b58a45', '#5d6b8c']);
  pen.rect(x, baseY - 96, width, 96, darker(colour, 0.25), { width: 1.4 });
  pen.rect(x + 8, baseY - 70, width * 0.56, 56, light.lampsLit ? '#ffe0a0' : '#b9cbd0', { width: 1.3 });
  if (light.lampsLit)
    stage.glows.push({ x: x + width * 0.35, y: baseY - 42, radius: 95, colour: '#ffcf80', strength: 0.45 });
  pen.rect(x + width * 0.68, baseY - 74, width * 0.22, 74, darker(colour, 0.4), { width: 1.3 });
  const stripes = 6;
  for (let stripe = 0; stripe < stripes; stripe += 1) {
    const sx = x - 6 + ((width + 12) * stripe) / stripes;
    const sw = (width + 12) / stripes;
    pen.shape(
      [
        [sx, baseY - 98],
        [sx + sw, baseY - 98],
        [sx + sw, baseY - 76],
        [sx + sw / 2, baseY - 70],
        [sx, baseY - 76],
      ],
      stripe % 2 === 0 ? colour : '#f2e9d4',
      { width: 1 },
    );
  }
}

/** A lamp post; lit when the hour asks for it. */
export function streetLamp(stage: Stage, x: number, baseY: number, height: number): void {
  const { pen, light } = stage;
  pen.line([x, baseY], [x, baseY - height], { width: 3.4 });
  pen.curve(
    [
      [x, baseY - height],
      [x + 4, baseY - height - 14],
      [x + height * 0.12, baseY - height - 13],
    ],
    { width: 2.4 },
  );
  const lampX = x + height * 0.13;
  const lampY = baseY - height - 6;
  pen.shape(
    [
      [lampX - 9, lampY + 6],
      [lampX + 9, lampY + 6],
      [lampX + 5, lampY - 7],
      [lampX - 5, lampY - 7],
    ],
    light.lampsLit ? '#ffe6a6' : '#d8d8cf',
    { width: 1.4 },
  );
  pen.ellipse(x, baseY, 9, 3, '#4a4a50');
  if (light.lampsLit)
    stage.glows.push({ x: lampX, y: lampY + 4, radius: height * 0.75, colour: '#ffcf7d', strength: 0.55 });
}

/** A detached house with a door and two windows. */
export function house(stage: Stage, x: number, baseY: number, width: number): void {
  const { pen, random, light } = stage;
  const wall = random.pick(WALLS);
  const height = width * 0.55;
  pen.rect(x, baseY - height, width, height, lighter(wall, 0.12), { width: 1.8 });
  pen.shape(
    [
      [x - width * 0.09, baseY - height + 4],
      [x + width * 0.16, baseY - height * 1.72],
      [x + width * 0.84, baseY - height * 1.72],
      [x + width * 1.09, baseY - height + 4],
    ],
    '#8a5a4c',
    { width: 1.8 },
  );
  for (let row = 1; row < 4; row += 1)
    pen.line(
      [x - width * 0.09 + row * width * 0.06, baseY - height * (1 + row * 0.18)],
      [x + width * 1.09 - row * width * 0.06, baseY - height * (1 + row * 0.18)],
      { width: 0.8, alpha: 0.35 },
    );
  pen.rect(x + width * 0.68, baseY - height * 2, width * 0.09, height * 0.5, '#94705f', { width: 1.3 });
  pen.rect(x + width * 0.43, baseY - height * 0.66, width * 0.16, height * 0.66, '#5f4b40', { width: 1.5 });
  for (const wx of [0.12, 0.72]) {
    pen.rect(
      x + width * wx,
      baseY - height * 0.74,
      width * 0.17,
      height * 0.36,
      light.lampsLit ? '#ffdc92' : '#aebfc8',
      { width: 1.5 },
    );
    pen.line([x + width * (wx + 0.085), baseY - height * 0.74], [x + width * (wx + 0.085), baseY - height * 0.38], {
      width: 1,
    });
    if (light.lampsLit)
      stage.glows.push({
        x: x + width * (wx + 0.085),
        y: baseY - height * 0.55,
        radius: width * 0.3,
        colour: '#ffcf7d',
        strength: 0.5,
      });
  }
}
