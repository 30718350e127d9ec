import { darker, lighter, mix } from '../colour';
import type { Stage } from '../stage';

/** Water from the horizon down: it takes the sky's colour, and glitters under a low light. */
export function sea(stage: Stage, fromY: number, toY: number): void {
  const { pen, random, light, w } = stage;
  const far = mix('#6f94a6', light.sky[1], 0.45);
  const near = darker(mix('#46707f', light.sky[0], 0.3), 0.12);
  const { ctx } = pen;
  const gradient = ctx.createLinearGradient(0, fromY, 0, toY);
  gradient.addColorStop(0, pen.colour(far));
  gradient.addColorStop(1, pen.colour(near));
  ctx.fillStyle = gradient;
  ctx.fillRect(-20, fromY, w + 40, toY - fromY);
  pen.line([-10, fromY], [w + 10, fromY], { width: 1.2, alpha: 0.4 });
  for (let wave = 0; wave < 70; wave += 1) {
    const near2 = random.next() ** 1.4;
    const y = fromY + 4 + (toY - fromY - 4) * near2;
    const x = random.between(-30, w);
    const length = 14 + near2 * 90;
    const bright = random.chance(0.45);
    pen.curve(
      [
        [x, y],
        [x + length * 0.3, y - 2 - near2 * 4],
        [x + length * 0.6, y + 1],
        [x + length, y - 1],
      ],
      { width: 0.9 + near2, ...(bright ? { colour: lighter(light.sky[2], 0.2), alpha: 0.5 } : { alpha: 0.28 }) },
    );
  }
}

/** A fishing boat whose water line is at `y`. */
export function boat(stage: Stage, x: number, y: number, length: number): void {
  const { pen, random, light } = stage;
  const hull = random.pick(['#7d4a43', '#3f5f6d', '#5b6b54', '#8a6a3c']);
  pen.shape(
    [
      [x - length * 0.5, y - length * 0.14],
      [x + length * 0.55, y - length * 0.2],
      [x + length * 0.4, y + 3],
      [x - length * 0.42, y + 3],
    ],
    hull,
    { width: 1.5 },
  );
  pen.line([x - length * 0.47, y - length * 0.09], [x + length * 0.5, y - length * 0.14], {
    width: 1.2,
    colour: '#efe6d0',
  });
  pen.rect(x - length * 0.22, y - length * 0.36, length * 0.3, length * 0.2, '#e4dcc6', { width: 1.3 });
  pen.rect(x - length * 0.17, y - length * 0.32, length * 0.08, length * 0.08, light.lampsLit ? '#ffdf98' : '#8fa5ad', {
    width: 1,
  });
  if (light.lampsLit)
    stage.glows.push({
      x: x - length * 0.13,
      y: y - length * 0.28,
      radius: length * 0.35,
      colour: '#ffcf7d',
      strength: 0.5,
    });
  pen.line([x + length * 0.18, y - length * 0.16], [x + length * 0.18, y - length * 0.75], { width: 2 });
  pen.line([x + length * 0.18, y - length * 0.72], [x + length * 0.5, y - length * 0.2], { width: 0.9, alpha: 0.7 });
  pen.line([x + length * 0.18, y - length * 0.72], [x - length * 0.45, y - length * 0.16], { width: 0.9, alpha: 0.7 });
  for (let ring = 0; ring < 3; ring += 1)
    pen.curve(
      [
        [x - length * (0.5 + ring * 0.06), y + 6 + ring * 5],
        [x, y + 9 + ring * 6],
        [x + length * (0.5 + ring * 0.05), y + 6 + ring * 5],
      ],
      { width: 1, alpha: 0.3 },
    );
}

/** Gulls: a few strokes in the air. */
export function gulls(stage: Stage, y: number): void {
  const { pen, random, w } = stage;
  for (let gull = 0; gull < 4; gull += 1) {
    const x = random.between(w * 0.2, w * 0.9);
    const gy = y * random.between(0.3, 0.9);
    const size = random.between(6, 13);
    pen.curve(
      [
        [x - size, gy - size * 0.2],
        [x - size * 0.4, gy - size * 0.6],
        [x, gy],
      ],
      { width: 1.3 },
    );
    pen.curve(
      [
        [x, gy],
        [x + size * 0.4, gy - size * 0.6],
        [x + size, gy - size * 0.2],
      ],
      { width: 1.3 },
    );
  }
}
