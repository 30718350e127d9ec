import { darker, mix } from '../colour';
import { buildings } from '../scenery/town';
import { ground, hills, rock } from '../scenery/land';
import { boat, gulls, sea } from '../scenery/water';
import { sky } from '../scenery/sky';
import type { Stage } from '../stage';

export function harbour(stage: Stage): void {
  const { pen, random, w, h, horizon } = stage;
  sky(stage, horizon);
  hills(stage, horizon + 4, 70, '#6f8087', 0.7);
  buildings(stage, horizon + 6, 40, 80, 0.55, w * 0.58, w + 20);
  sea(stage, horizon, h);
  boat(stage, w * 0.3, horizon + 44, 120);
  boat(stage, w * 0.66, horizon + 26, 80);
  boat(stage, w * 0.86, horizon + 70, 150);
  gulls(stage, horizon);
  pen.shape(
    [
      [-20, h * 0.8],
      [w * 0.62, h * 0.8],
      [w * 0.86, h + 20],
      [-20, h + 20],
    ],
    '#9a8a74',
    { width: 2 },
  );
  for (let plank = 0; plank < 13; plank += 1)
    pen.line([plank * w * 0.05 - 10, h * 0.8], [plank * w * 0.07 - 40, h + 10], { width: 1, alpha: 0.35 });
  for (const x of [0.06, 0.3, 0.55]) {
    pen.rect(w * x, h * 0.72, 22, 54, '#6b5847', { width: 1.7 });
    pen.ellipse(w * x + 11, h * 0.72, 12, 4, '#8a7560', { width: 1.3 });
    pen.curve(
      [
        [w * x + 11, h * 0.75],
        [w * x + 70, h * 0.85],
        [w * x + 140, h * 0.76],
      ],
      { width: 2.6, colour: '#b59c6f' },
    );
  }
  for (let crate = 0; crate < 3; crate += 1)
    pen.rect(
      w * 0.13 + crate * 46 - (crate === 2 ? 70 : 0),
      h * 0.86 - (crate === 2 ? 38 : 0),
      44,
      38,
      random.pick(['#a98b60', '#8f7b5a']),
      { width: 1.5 },
    );
}

export function openSea(stage: Stage): void {
  const { random, w, h, horizon } = stage;
  sky(stage, horizon);
  hills(stage, horizon + 2, 34, '#7d8f99', 0.8);
  sea(stage, horizon, h);
  boat(stage, w * random.between(0.6, 0.75), horizon + 52, 150);
  gulls(stage, horizon);
}

export function deck(stage: Stage): void {
  const { pen, w, h, horizon } = stage;
  sky(stage, horizon);
  sea(stage, horizon, h * 0.74);
  gulls(stage, horizon);
  pen.rect(-10, h * 0.7, w + 20, h * 0.4, '#a58a68', { width: 1.8 });
  for (let plank = 0; plank < 16; plank += 1)
    pen.line([w * 0.5 + (plank - 8) * 60, h * 0.7], [w * 0.5 + (plank - 8) * 130, h + 10], { width: 1, alpha: 0.35 });
  for (const rail of [0.53, 0.61]) pen.line([-10, h * rail], [w + 10, h * rail], { width: 4.5, colour: '#e5e0d0' });
  for (let post = 0; post < 9; post += 1)
    pen.line([post * w * 0.125 + 20, h * 0.52], [post * w * 0.125 + 20, h * 0.7], { width: 5, colour: '#e5e0d0' });
  pen.ellipse(w * 0.2, h * 0.61, 34, 34, undefined, { width: 13, colour: '#d07f52' });
  pen.ellipse(w * 0.2, h * 0.61, 41, 41, undefined, { width: 1.4 });
  pen.rect(w * 0.78, h * 0.14, w * 0.3, h * 0.6, '#dcd6c4', { width: 1.9 });
  pen.ellipse(w * 0.87, h * 0.34, 30, 30, stage.light.lampsLit ? '#ffdf98' : '#93aab2', { width: 2.4 });
  pen.shape(
    [
      [w * 0.84, h * 0.14],
      [w * 0.95, h * 0.14],
      [w * 0.94, -20],
      [w * 0.85, -20],
    ],
    '#a5493f',
    { width: 1.8 },
  );
}

export function beach(stage: Stage): void {
  const { pen, random, w, h, horizon } = stage;
  sky(stage, horizon);
  hills(stage, horizon + 4, 60, '#7f8f8d', 0.7);
  sea(stage, horizon, h * 0.8);
  pen.blob(
    [
      [-80, h * 0.74],
      [w * 0.2, h * 0.66],
      [w * 0.55, h * 0.76],
      [w * 0.85, h * 0.68],
      [w + 80, h * 0.74],
      [w + 80, h * 1.2],
      [-80, h * 1.2],
    ],
    '#d9c79d',
    { width: 1.2, alpha: 0.5 },
  );
  pen.curve(
    [
      [-10, h * 0.735],
      [w * 0.25, h * 0.69],
      [w * 0.55, h * 0.755],
      [w * 0.85, h * 0.7],
      [w + 10, h * 0.73],
    ],
    { width: 5, colour: '#f7f3e4', alpha: 0.8 },
  );
  for (let stone = 0; stone < 8; stone += 1)
    rock(stage, random.between(0, w), h * random.between(0.84, 0.98), random.between(12, 44));
  pen.curve(
    [
      [w * 0.62, h * 0.9],
      [w * 0.72, h * 0.87],
      [w * 0.84, h * 0.9],
    ],
    { width: 9, colour: '#97806a' },
  );
  gulls(stage, horizon);
}

export function underwater(stage: Stage): void {
  const { pen, random, w, h, text } = stage;
  const { ctx } = pen;
  const gradient = ctx.createLinearGradient(0, 0, 0, h);
  for (const [stop, colour] of [
    [0, '#8cc0bd'],
    [0.5, '#4d8590'],
    [1, '#2b5161'],
  ] as const)
    gradient.addColorStop(stop, pen.colour(mix(colour, stage.light.sky[0], 0.2)));
  ctx.fillStyle = gradient;
  ctx.fillRect(-10, -10, w + 20, h + 20);
  for (let ray = 0; ray < 6; ray += 1) {
    const x = w * (0.08 + ray * 0.16);
    pen.ctx.globalAlpha = 0.12;
    pen.shape(
      [
        [x, -10],
        [x + 46, -10],
        [x + 130, h],
        [x - 20, h],
      ],
      '#e8f6e6',
    );
    pen.ctx.globalAlpha = 1;
  }
  if (/town|street|square|office|house|bus|마을|도시/i.test(text)) buildings(stage, h * 0.72, 70, 190, 0.3);
  else hills(stage, h * 0.72, 90, '#3f6a74', 0.2, true);
  ground(stage, h * 0.7, '#8fa08a', 'sand');
  for (let weed = 0; weed < 12; weed += 1) {
    const x = random.between(0, w);
    const y = h * random.between(0.74, 0.98);
    const tall = random.between(50, 130);
    pen.curve(
      [
        [x, y],
        [x + 14, y - tall * 0.35],
        [x - 12, y - tall * 0.7],
        [x + 6, y - tall],
      ],
      { width: 5, colour: darker('#4f7f5a', random.between(0, 0.3)) },
    );
  }
  for (let bubble = 0; bubble < 26; bubble += 1)
    pen.ellipse(
      random.between(0, w),
      random.between(0, h * 0.9),
      random.between(2, 7),
      random.between(2, 7),
      undefined,
      { width: 1.2, colour: '#e8f4ee', alpha: 0.7 },
    );
  for (let fish = 0; fish < 6; fish += 1) {
    const x = random.between(w * 0.1, w * 0.9);
    const y = random.between(h * 0.15, h * 0.6);
    pen.blob(
      [
        [x - 16, y],
        [x, y - 7],
        [x + 14, y],
        [x, y + 7],
      ],
      '#c9a66b',
      { width: 1.2 },
    );
    pen.shape(
      [
        [x - 13, y],
        [x - 23, y - 7],
        [x - 23, y + 7],
      ],
      '#c9a66b',
      { width: 1.1 },
    );
  }
}

export function lighthouse(stage: Stage): void {
  const { pen, w, h, horizon, light } = stage;
  sky(stage, horizon);
  sea(stage, horizon, h);
  pen.blob(
    [
      [w * 0.3, h * 1.1],
      [w * 0.4, h * 0.72],
      [w * 0.6, h * 0.64],
      [w * 0.82, h * 0.66],
      [w * 1.1, h * 0.8],
      [w * 1.1, h * 1.2],
    ],
    '#8d8f7c',
    { width: 2 },
  );
  const x = w * 0.68;
  const top = h * 0.16;
  pen.shape(
    [
      [x - 56, h * 0.68],
      [x + 56, h * 0.68],
      [x + 34, top + 40],
      [x - 34, top + 40],
    ],
    '#eee8d8',
    { width: 2 },
  );
  for (const [from, to] of [
    [0.3, 0.5],
    [0.7, 0.88],
  ] as const) {
    const at = (share: number): number => h * 0.68 - (h * 0.68 - top - 40) * (1 - share);
    const half = (share: number): number => 34 + 22 * share;
    pen.shape(
      [
        [x - half(from), at(from)],
        [x + half(from), at(from)],
        [x + half(to), at(to)],
        [x - half(to), at(to)],
      ],
      '#b4544a',
      { width: 1.4 },
    );
  }
  pen.rect(x - 46, top + 32, 92, 9, '#4b4e52', { width: 1.6 });
  pen.rect(x - 24, top, 48, 34, light.lampsLit ? '#fff0ba' : '#b8ccd0', { width: 1.8 });
  pen.shape(
    [
      [x - 30, top],
      [x + 30, top],
      [x, top - 28],
    ],
    '#8d3f38',
    { width: 1.7 },
  );
  if (light.lampsLit) {
    stage.glows.push({ x, y: top + 16, radius: 300, colour: '#fff0b8', strength: 0.8 });
    pen.ctx.globalAlpha = 0.28;
    pen.shape(
      [
        [x, top + 16],
        [-20, top - 50],
        [-20, top + 66],
      ],
      '#fff3c8',
    );
    pen.ctx.globalAlpha = 1;
  }
  gulls(stage, horizon);
  rock(stage, w * 0.4, h * 0.92, 120);
}
