import { darker, mix } from '../colour';
import { rainOn, weatherOf } from '../weather';
import type { Stage } from '../stage';

/** A window: the sky of the hour behind it, rain on it when the story has rain, light that falls in by day. */
export function windowPane(stage: Stage, x: number, y: number, width: number, height: number, curtains = false): void {
  const { pen, light } = stage;
  const { ctx } = pen;
  pen.rect(x - 6, y - 6, width + 12, height + 12, '#d9cdb6', { width: 1.6 });
  const gradient = ctx.createLinearGradient(0, y, 0, y + height);
  gradient.addColorStop(0, pen.colour(light.sky[0]));
  gradient.addColorStop(0.7, pen.colour(light.sky[1]));
  gradient.addColorStop(1, pen.colour(light.sky[2]));
  ctx.fillStyle = gradient;
  ctx.fillRect(x, y, width, height);
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  ctx.clip();
  pen.blob(
    [
      [x - 10, y + height * 0.86],
      [x + width * 0.25, y + height * 0.72],
      [x + width * 0.6, y + height * 0.84],
      [x + width + 10, y + height * 0.74],
      [x + width + 10, y + height + 20],
      [x - 10, y + height + 20],
    ],
    mix('#708272', light.sky[1], 0.4),
  );
  if (weatherOf(stage.text) === 'rain') rainOn(pen, x, y, width, height, 26);
  ctx.restore();
  pen.line([x + width / 2, y], [x + width / 2, y + height], { width: 2.6, colour: '#cbbd9f' });
  pen.line([x, y + height * 0.42], [x + width, y + height * 0.42], { width: 2.6, colour: '#cbbd9f' });
  pen.rect(x, y, width, height, undefined, { width: 1.5 });
  pen.rect(x - 12, y + height + 6, width + 24, 8, '#cdbfa4', { width: 1.3 });
  if (curtains)
    for (const side of [-1, 1]) curtain(stage, side < 0 ? x - 16 : x + width + 16, y - 12, height + 30, -side);
  if (light.sun !== 'none') beam(stage, x, y, width, height);
  if (light.moon)
    stage.glows.push({ x: x + width / 2, y: y + height / 2, radius: width * 1.2, colour: '#9fb4e8', strength: 0.22 });
}

function curtain(stage: Stage, x: number, y: number, height: number, inward: number): void {
  const { pen, random } = stage;
  const colour = random.pick(['#a5605a', '#8d8a63', '#6c7f92', '#b59a6c']);
  pen.shape(
    [
      [x, y],
      [x + inward * 34, y],
      [x + inward * 22, y + height * 0.5],
      [x + inward * 30, y + height],
      [x - inward * 4, y + height],
    ],
    colour,
    { width: 1.4 },
  );
  for (const fold of [9, 18])
    pen.line([x + inward * fold, y + 2], [x + inward * fold * 0.8, y + height - 2], { width: 0.9, alpha: 0.4 });
}

function beam(stage: Stage, x: number, y: number, width: number, height: number): void {
  const { pen, h } = stage;
  const { ctx } = pen;
  const gradient = ctx.createLinearGradient(x, y, x + width * 1.5, h);
  gradient.addColorStop(0, 'rgba(255,246,214,0.34)');
  gradient.addColorStop(1, 'rgba(255,246,214,0)');
  ctx.fillStyle = gradient;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + width, y);
  ctx.lineTo(x + width * 2.4, h);
  ctx.lineTo(x + width * 0.9, h);
  ctx.lineTo(x, y + height);
  ctx.fill();
}

/** A closed door that stands on `floorY`. */
export function door(stage: Stage, x: number, floorY: number, width: number, height: number, colour = '#8a6a50'): void {
  const { pen } = stage;
  pen.rect(x - 6, floorY - height - 6, width + 12, height + 6, darker(colour, 0.25), { width: 1.4 });
  pen.rect(x, floorY - height, width, height, colour, { width: 1.6 });
  for (const [top, tall] of [
    [0.08, 0.34],
    [0.5, 0.42],
  ] as const)
    pen.rect(x + width * 0.16, floorY - height * (1 - top), width * 0.68, height * tall, darker(colour, 0.08), {
      width: 1,
      alpha: 0.6,
    });
  pen.ellipse(x + width * 0.88, floorY - height * 0.46, 3.2, 3.2, '#d8b465', { width: 1 });
}
