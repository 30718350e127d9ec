import { darker, lighter } from '../colour';
import type { Stage } from '../stage';

/** A table seen a little from above; its feet are on `floorY`. */
export function table(
  stage: Stage,
  x: number,
  floorY: number,
  width: number,
  height: number,
  colour = '#93725a',
): void {
  const { pen } = stage;
  const top = floorY - height;
  const depth = width * 0.1;
  for (const share of [0.06, 0.94])
    pen.rect(x + width * share - 5, top + 6, 10, height - 6, darker(colour, 0.2), { width: 1.3 });
  pen.shape(
    [
      [x, top + depth],
      [x + width, top + depth],
      [x + width * 0.93, top - depth * 0.4],
      [x + width * 0.07, top - depth * 0.4],
    ],
    lighter(colour, 0.16),
    { width: 1.6 },
  );
  pen.rect(x, top + depth, width, 10, colour, { width: 1.4 });
}

/** A desk with drawers, a lamp and papers. */
export function desk(stage: Stage, x: number, floorY: number, width: number, height: number): void {
  const { pen, random, light } = stage;
  const colour = '#7d5c45';
  const top = floorY - height;
  pen.rect(x + 6, top + 8, width - 12, height - 8, darker(colour, 0.1), { width: 1.6 });
  for (const side of [0.04, 0.72])
    for (let row = 0; row < 3; row += 1) {
      pen.rect(x + width * side + 4, top + 16 + (row * (height - 26)) / 3, width * 0.22, (height - 34) / 3, colour, {
        width: 1.1,
      });
      pen.line(
        [x + width * (side + 0.1), top + 16 + ((row + 0.45) * (height - 26)) / 3],
        [x + width * (side + 0.15), top + 16 + ((row + 0.45) * (height - 26)) / 3],
        { width: 1.8 },
      );
    }
  pen.shape(
    [
      [x - 8, top + 10],
      [x + width + 8, top + 10],
      [x + width - 12, top - 10],
      [x + 12, top - 10],
    ],
    lighter(colour, 0.2),
    { width: 1.7 },
  );
  for (let sheet = 0; sheet < 4; sheet += 1)
    pen.shape(
      [
        [x + width * 0.42, top - 1 - sheet * 3],
        [x + width * 0.6, top - 1 - sheet * 3],
        [x + width * 0.58, top - 8 - sheet * 3],
        [x + width * 0.44 + random.between(-2, 2), top - 8 - sheet * 3],
      ],
      '#f3ecd9',
      { width: 0.9, alpha: 0.7 },
    );
  const lampX = x + width * 0.16;
  pen.line([lampX, top - 4], [lampX + 4, top - 40], { width: 2.4 });
  pen.shape(
    [
      [lampX - 20, top - 38],
      [lampX + 30, top - 38],
      [lampX + 16, top - 62],
      [lampX - 6, top - 62],
    ],
    '#4f7a5f',
    { width: 1.5 },
  );
  pen.ellipse(lampX, top - 4, 12, 4, '#4a4a48', { width: 1 });
  if (light.lampsLit) stage.glows.push({ x: lampX + 5, y: top - 34, radius: 190, colour: '#ffd48a', strength: 0.6 });
}

/** A wooden chair from the front or the back. */
export function chair(stage: Stage, x: number, floorY: number, size: number, colour = '#8a6850'): void {
  const { pen } = stage;
  for (const side of [-1, 1]) {
    pen.line([x + side * size * 0.36, floorY], [x + side * size * 0.32, floorY - size * 1.35], {
      width: 3.4,
      colour: darker(colour, 0.25),
    });
    pen.line([x + side * size * 0.22, floorY - size * 0.08], [x + side * size * 0.22, floorY - size * 0.55], {
      width: 2.6,
      colour: darker(colour, 0.35),
    });
  }
  pen.shape(
    [
      [x - size * 0.42, floorY - size * 0.52],
      [x + size * 0.42, floorY - size * 0.52],
      [x + size * 0.36, floorY - size * 0.66],
      [x - size * 0.36, floorY - size * 0.66],
    ],
    lighter(colour, 0.1),
    { width: 1.5 },
  );
  for (const up of [0.98, 1.24])
    pen.rect(x - size * 0.34, floorY - size * up, size * 0.68, size * 0.13, colour, { width: 1.4 });
}

export function sofa(stage: Stage, x: number, floorY: number, width: number, colour: string): void {
  const { pen } = stage;
  pen.blob(
    [
      [x, floorY - 8],
      [x - 4, floorY - width * 0.34],
      [x + width * 0.1, floorY - width * 0.42],
      [x + width * 0.9, floorY - width * 0.42],
      [x + width + 4, floorY - width * 0.34],
      [x + width, floorY - 8],
    ],
    darker(colour, 0.1),
    { width: 1.7 },
  );
  for (const half of [0, 1])
    pen.rect(
      x + width * (0.12 + half * 0.38),
      floorY - width * 0.22,
      width * 0.38,
      width * 0.11,
      lighter(colour, 0.14),
      { width: 1.4 },
    );
  for (const side of [-0.03, 0.89])
    pen.rect(x + width * side, floorY - width * 0.27, width * 0.14, width * 0.26, colour, { width: 1.5 });
}

export function bed(stage: Stage, x: number, floorY: number, width: number, colour: string): void {
  const { pen } = stage;
  pen.rect(x - 6, floorY - width * 0.44, 12, width * 0.44, '#7b5e4a', { width: 1.5 });
  pen.rect(x, floorY - width * 0.2, width, width * 0.14, '#8b6c55', { width: 1.5 });
  pen.blob(
    [
      [x, floorY - width * 0.19],
      [x + 4, floorY - width * 0.3],
      [x + width * 0.5, floorY - width * 0.28],
      [x + width, floorY - width * 0.27],
      [x + width + 4, floorY - width * 0.1],
      [x + width * 0.6, floorY - width * 0.13],
    ],
    colour,
    { width: 1.6 },
  );
  pen.blob(
    [
      [x + 8, floorY - width * 0.28],
      [x + 14, floorY - width * 0.37],
      [x + width * 0.22, floorY - width * 0.36],
      [x + width * 0.23, floorY - width * 0.27],
    ],
    '#f1ead9',
    { width: 1.4 },
  );
  pen.rect(x + width - 6, floorY - width * 0.3, 10, width * 0.3, '#7b5e4a', { width: 1.5 });
}
