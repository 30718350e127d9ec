import { darker, mix } from '../colour';
import type { Point } from '../pen';
import type { Stage } from '../stage';

/** The ground from the horizon to the bottom, with strokes that lead into the depth. */
export function ground(
  stage: Stage,
  fromY: number,
  colour: string,
  texture: 'grass' | 'stones' | 'plain' | 'sand' = 'plain',
): void {
  const { pen, random, w, h } = stage;
  pen.rect(-20, fromY, w + 40, h - fromY + 20, colour);
  const strokes = texture === 'plain' ? 14 : 60;
  for (let index = 0; index < strokes; index += 1) {
    const y = fromY + (h - fromY) * random.next() ** 1.6;
    const near = (y - fromY) / (h - fromY);
    const x = random.between(0, w);
    if (texture === 'grass')
      pen.curve(
        [
          [x, y],
          [x + 2, y - 5 - near * 12],
          [x + 6 * near, y - 7 - near * 14],
        ],
        { width: 0.8 + near, alpha: 0.3 },
      );
    else if (texture === 'stones')
      pen.ellipse(x, y, 3 + near * 12, 1 + near * 3.5, darker(colour, random.between(0.02, 0.12)), {
        width: 0.7,
        alpha: 0.25,
      });
    else
      pen.curve(
        [
          [x, y],
          [x + 20 + near * 60, y + 1.5],
          [x + 40 + near * 120, y],
        ],
        { width: 0.9, alpha: texture === 'sand' ? 0.16 : 0.2 },
      );
  }
}

/** A far ridge, paler the farther (`depth` 0 near, 1 far). */
export function hills(
  stage: Stage,
  baseY: number,
  height: number,
  colour: string,
  depth: number,
  jagged = false,
): void {
  const { pen, random, w, light } = stage;
  const points: Point[] = [[-40, baseY + 30]];
  const steps = jagged ? 13 : 8;
  for (let step = 0; step <= steps; step += 1) {
    const up = height * (jagged ? random.between(0.15, 1) * (step % 2 === 0 ? 0.55 : 1) : random.between(0.35, 1));
    points.push([-40 + ((w + 80) * step) / steps, baseY - up]);
  }
  points.push([w + 40, baseY + 30]);
  const far = mix(colour, light.sky[1], depth * 0.75);
  if (jagged) pen.shape(points, far, { width: 1.4, alpha: 0.6 - depth * 0.35 });
  else pen.blob(points, far, { width: 1.2, alpha: 0.55 - depth * 0.35 });
}

/** A leafy tree that stands at (x, y). */
export function tree(
  stage: Stage,
  x: number,
  y: number,
  height: number,
  kind: 'leafy' | 'pine' | 'bare' = 'leafy',
): void {
  const { pen, random } = stage;
  const trunk = height * 0.055;
  if (kind === 'pine') {
    pen.shape(
      [
        [x - trunk / 2, y],
        [x + trunk / 2, y],
        [x + trunk / 2, y - height * 0.3],
        [x - trunk / 2, y - height * 0.3],
      ],
      '#6b5443',
      { width: 1 },
    );
    for (let layer = 0; layer < 4; layer += 1) {
      const bottom = y - height * (0.16 + layer * 0.2);
      const half = height * (0.24 - layer * 0.045);
      pen.shape(
        [
          [x - half, bottom],
          [x - half * 0.3, bottom - height * 0.12],
          [x, bottom - height * 0.3],
          [x + half * 0.3, bottom - height * 0.12],
          [x + half, bottom],
        ],
        mix('#476650', '#6f8a62', random.between(0, 0.5)),
        { width: 1.3, alpha: 0.75 },
      );
    }
    return;
  }
  pen.shape(
    [
      [x - trunk, y],
      [x + trunk, y],
      [x + trunk * 0.55, y - height * 0.5],
      [x - trunk * 0.5, y - height * 0.5],
    ],
    '#755c49',
    { width: 1.3 },
  );
  for (let branch = 0; branch < (kind === 'bare' ? 9 : 3); branch += 1) {
    const lean = random.between(-0.3, 0.3) * height;
    const from = y - height * random.between(0.32, 0.5);
    pen.curve(
      [
        [x, from],
        [x + lean * 0.5, from - height * 0.16],
        [x + lean, from - height * random.between(0.25, 0.45)],
      ],
      { width: kind === 'bare' ? 2.2 : 1.6, alpha: 0.8 },
    );
  }
  if (kind === 'bare') return;
  for (let clump = 0; clump < 6; clump += 1) {
    const angle = (clump / 6) * Math.PI * 2;
    const cx = x + Math.cos(angle) * height * 0.17;
    const cy = y - height * 0.7 + Math.sin(angle) * height * 0.13;
    pen.ellipse(
      cx,
      cy,
      height * random.between(0.15, 0.2),
      height * random.between(0.12, 0.17),
      mix('#5f7d54', '#8da869', random.next()),
      { width: 1.2, alpha: 0.5 },
    );
  }
  pen.ellipse(x - height * 0.04, y - height * 0.73, height * 0.17, height * 0.13, '#9bb377');
  for (let leaf = 0; leaf < 7; leaf += 1) {
    const lx = x + random.between(-0.24, 0.24) * height;
    const ly = y - height * random.between(0.58, 0.84);
    pen.curve(
      [
        [lx, ly],
        [lx + 5, ly - 4],
        [lx + 10, ly],
      ],
      { width: 1, alpha: 0.45 },
    );
  }
}

export function bush(stage: Stage, x: number, y: number, width: number): void {
  const { pen, random } = stage;
  const points: Point[] = [[x - width / 2, y]];
  for (let bump = 0; bump <= 5; bump += 1)
    points.push([x - width / 2 + (width * bump) / 5, y - width * random.between(0.22, 0.42)]);
  points.push([x + width / 2, y]);
  pen.blob(points, mix('#63805a', '#86a069', random.next()), { width: 1.3, alpha: 0.6 });
}

export function rock(stage: Stage, x: number, y: number, width: number): void {
  const { pen, random } = stage;
  pen.shape(
    [
      [x - width / 2, y],
      [x - width * 0.38, y - width * random.between(0.25, 0.5)],
      [x, y - width * random.between(0.4, 0.6)],
      [x + width * 0.34, y - width * 0.36],
      [x + width / 2, y],
    ],
    '#8f8d8a',
    { width: 1.5, alpha: 0.75 },
  );
  pen.line([x - width * 0.05, y - width * 0.45], [x + width * 0.06, y - width * 0.12], { width: 1, alpha: 0.4 });
}
