import { mix } from '../colour';
import { hills } from '../scenery/land';
import { sea, boat } from '../scenery/water';
import { sky } from '../scenery/sky';
import type { Stage } from '../stage';

/** Inside a bus, car or carriage: windows with the land going by, seats, a pole. */
export function vehicle(stage: Stage): void {
  const { pen, w, h, light } = stage;
  sky(stage, h * 0.5);
  hills(stage, h * 0.5, 60, '#76806f', 0.6);
  pen.rect(-10, h * 0.5, w + 20, h * 0.2, mix('#8a8a78', light.sky[1], 0.3));
  const shell = '#9aa39a';
  pen.rect(-10, -10, w + 20, h * 0.13, shell, { width: 1.6 });
  pen.rect(-10, h * 0.55, w + 20, h * 0.5, mix(shell, '#6f7a76', 0.5), { width: 1.6 });
  for (let post = 0; post <= 4; post += 1) pen.rect(post * w * 0.25 - 17, h * 0.08, 34, h * 0.5, shell, { width: 1.5 });
  pen.line([-10, h * 0.15], [w + 10, h * 0.15], { width: 5, colour: '#c9b16b' });
  for (let strap = 0; strap < 6; strap += 1) {
    const x = w * (0.1 + strap * 0.16);
    pen.line([x, h * 0.15], [x, h * 0.22], { width: 2.5 });
    pen.ellipse(x, h * 0.25, 11, 13, undefined, { width: 3 });
  }
  for (let seat = 0; seat < 4; seat += 1) {
    const x = w * (0.04 + seat * 0.25);
    pen.blob(
      [
        [x, h * 1.02],
        [x - 4, h * 0.62],
        [x + 40, h * 0.55],
        [x + w * 0.16, h * 0.55],
        [x + w * 0.19, h * 0.64],
        [x + w * 0.19, h * 1.02],
      ],
      '#7b4f4a',
      { width: 1.8 },
    );
    pen.curve(
      [
        [x + 14, h * 0.66],
        [x + w * 0.09, h * 0.62],
        [x + w * 0.17, h * 0.66],
      ],
      { width: 1.2, alpha: 0.5 },
    );
  }
  pen.line([w * 0.6, h * 0.1], [w * 0.6, h], { width: 6, colour: '#c9b16b' });
  if (light.lampsLit)
    for (const x of [0.25, 0.75])
      stage.glows.push({ x: w * x, y: h * 0.06, radius: 220, colour: '#ffe2a8', strength: 0.4 });
}

/** A ship's bridge: wheel, instruments, a wide window over the sea. */
export function bridge(stage: Stage): void {
  const { pen, w, h, light } = stage;
  sky(stage, h * 0.42);
  sea(stage, h * 0.4, h * 0.62);
  boat(stage, w * 0.74, h * 0.44, 54);
  const wood = '#86684d';
  pen.rect(-10, -10, w + 20, h * 0.12, wood, { width: 1.7 });
  pen.rect(-10, h * 0.58, w + 20, h * 0.5, wood, { width: 1.7 });
  for (let post = 0; post <= 5; post += 1)
    pen.rect(post * w * 0.2 - 12, h * 0.08, 24, h * 0.52, mix(wood, '#5a4536', 0.4), { width: 1.5 });
  pen.shape(
    [
      [w * 0.05, h * 0.62],
      [w * 0.95, h * 0.62],
      [w * 1.02, h * 0.76],
      [-20, h * 0.76],
    ],
    '#a78864',
    { width: 1.7 },
  );
  for (let dial = 0; dial < 6; dial += 1) {
    const x = w * (0.12 + dial * 0.15);
    pen.ellipse(x, h * 0.68, 21, 17, '#e9e0c6', { width: 1.7 });
    pen.line([x, h * 0.68], [x + 9, h * 0.66], { width: 1.6 });
    if (light.lampsLit) stage.glows.push({ x, y: h * 0.68, radius: 54, colour: '#ffd993', strength: 0.4 });
  }
  const cx = w * 0.47;
  const cy = h * 0.84;
  for (let spoke = 0; spoke < 8; spoke += 1) {
    const angle = (spoke / 8) * Math.PI * 2;
    pen.line([cx, cy], [cx + Math.cos(angle) * 108, cy + Math.sin(angle) * 108], { width: 7, colour: '#6a4630' });
  }
  pen.ellipse(cx, cy, 82, 82, undefined, { width: 11, colour: '#7d5539' });
  pen.ellipse(cx, cy, 88, 88, undefined, { width: 1.6 });
  pen.ellipse(cx, cy, 17, 17, '#c6a04f', { width: 1.8 });
}
