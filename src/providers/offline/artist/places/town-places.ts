import { darker, mix } from '../colour';
import { ground, hills, tree, bush } from '../scenery/land';
import { buildings, house, shopFront, streetLamp } from '../scenery/town';
import { sky } from '../scenery/sky';
import type { Stage } from '../stage';

export function street(stage: Stage): void {
  const { pen, random, w, h, horizon } = stage;
  sky(stage, horizon);
  buildings(stage, horizon + 8, 50, 130, 0.7);
  buildings(stage, horizon + 26, 110, 210, 0.12, -30, w * 0.34);
  buildings(stage, horizon + 26, 110, 210, 0.12, w * 0.68, w + 30);
  ground(stage, horizon + 24, '#a49c90');
  pen.shape(
    [
      [w * 0.42, horizon + 24],
      [w * 0.56, horizon + 24],
      [w * 0.95, h + 20],
      [w * 0.05, h + 20],
    ],
    '#85817c',
    { width: 1.5, alpha: 0.6 },
  );
  for (let dash = 0; dash < 6; dash += 1) {
    const y = horizon + 34 + (h - horizon - 30) * (dash / 6) ** 1.7;
    pen.rect(w * 0.49 - 2 - dash, y, 4 + dash * 2, 5 + dash * 5, '#e6dfca');
  }
  shopFront(stage, w * 0.02, horizon + 52, 170);
  shopFront(stage, w * 0.8, horizon + 52, 170);
  streetLamp(stage, w * 0.28, horizon + 76, 170);
  streetLamp(stage, w * 0.7, horizon + 62, 140);
  tree(stage, w * 0.75, horizon + 60, random.between(120, 160));
}

export function alley(stage: Stage): void {
  const { pen, random, w, h, horizon, light } = stage;
  sky(stage, horizon);
  buildings(stage, horizon + 16, 90, 150, 0.5, w * 0.36, w * 0.64);
  ground(stage, horizon + 14, '#8f887d', 'stones');
  for (const side of [-1, 1]) {
    const edge = w / 2 + side * w * 0.1;
    const outer = w / 2 + side * w * 0.54;
    const wall = random.pick(['#9d8878', '#8d8a86', '#a3927c']);
    pen.shape(
      [
        [edge, horizon + 20],
        [edge, h * 0.1],
        [outer, -h * 0.4],
        [outer, h * 1.08],
      ],
      side < 0 ? wall : darker(wall, 0.14),
      { width: 1.8 },
    );
    for (let course = 1; course < 7; course += 1)
      pen.line([edge, h * 0.1 + (horizon + 20 - h * 0.1) * (course / 7)], [outer, -h * 0.4 + h * 1.48 * (course / 7)], {
        width: 0.9,
        alpha: 0.25,
      });
    for (let opening = 0; opening < 3; opening += 1) {
      const near = 0.25 + opening * 0.26;
      const x = edge + (outer - edge) * near;
      const lit = light.lampsLit && opening !== 1;
      const tall = 46 + near * 80;
      pen.shape(
        [
          [x, h * 0.34 - near * 66],
          [x + side * (24 + near * 30), h * 0.32 - near * 84],
          [x + side * (24 + near * 30), h * 0.32 - near * 84 + tall + 18],
          [x, h * 0.34 - near * 66 + tall],
        ],
        lit ? '#ffd88a' : '#5e6871',
        { width: 1.5 },
      );
      if (lit) stage.glows.push({ x: x + side * 20, y: h * 0.34, radius: 120, colour: '#ffcc78', strength: 0.4 });
    }
  }
  pen.curve(
    [
      [w * 0.2, h * 0.05],
      [w * 0.5, h * 0.17],
      [w * 0.82, h * 0.03],
    ],
    { width: 1.5 },
  );
  for (let cloth = 0; cloth < 4; cloth += 1)
    pen.rect(w * (0.38 + cloth * 0.07), h * 0.135, 26, 34, random.pick(['#d9d2c0', '#a86a5c', '#7f95a3']), {
      width: 1.2,
    });
  for (const [x, y] of [
    [0.2, 0.9],
    [0.26, 0.93],
  ] as const)
    pen.rect(w * x, h * y - 52, 48, 52, '#77695a', { width: 1.6 });
  streetLamp(stage, w * 0.63, horizon + 70, 150);
}

export function square(stage: Stage): void {
  const { pen, random, w, h, horizon, text } = stage;
  sky(stage, horizon);
  buildings(stage, horizon + 18, 90, 180, 0.3);
  ground(stage, horizon + 16, '#b5aa97', 'stones');
  if (/market|시장|장터/i.test(text)) {
    for (let stall = 0; stall < 4; stall += 1) {
      const x = w * (0.04 + stall * 0.25);
      const baseY = horizon + 96 + (stall % 2) * 26;
      shopFront(stage, x, baseY, 150);
      for (let crate = 0; crate < 4; crate += 1)
        pen.ellipse(x + 22 + crate * 32, baseY - 8, 15, 8, random.pick(['#a9b7b5', '#c07a50', '#90a05f']), {
          width: 1.2,
        });
    }
    return;
  }
  pen.ellipse(w * 0.5, horizon + 92, 128, 26, '#a09a90', { width: 1.8 });
  pen.ellipse(w * 0.5, horizon + 86, 112, 19, mix('#7ea3b3', stage.light.sky[1], 0.3), { width: 1.3 });
  pen.shape(
    [
      [w * 0.48, horizon + 86],
      [w * 0.52, horizon + 86],
      [w * 0.51, horizon - 8],
      [w * 0.49, horizon - 8],
    ],
    '#98928a',
    { width: 1.5 },
  );
  pen.ellipse(w * 0.5, horizon - 8, 44, 10, '#a8a298', { width: 1.5 });
  streetLamp(stage, w * 0.2, horizon + 110, 170);
  streetLamp(stage, w * 0.82, horizon + 110, 170);
  tree(stage, w * 0.09, horizon + 74, 150);
  tree(stage, w * 0.92, horizon + 74, 160);
  void h;
}

export function homeFront(stage: Stage): void {
  const { random, w, h, horizon, pen } = stage;
  sky(stage, horizon);
  hills(stage, horizon + 6, 70, '#7f8f74', 0.55);
  ground(stage, horizon + 14, '#96a277', 'grass');
  house(stage, w * 0.52, horizon + 66, 270);
  house(stage, w * 0.05, horizon + 34, 150);
  tree(stage, w * 0.42, horizon + 78, 190);
  pen.shape(
    [
      [w * 0.63, horizon + 66],
      [w * 0.69, horizon + 66],
      [w * 0.62, h + 10],
      [w * 0.36, h + 10],
    ],
    '#c4b493',
    { width: 1.3, alpha: 0.6 },
  );
  for (let post = 0; post < 9; post += 1)
    pen.rect(w * 0.02 + post * 38, horizon + 92, 9, 46, '#e3dbc6', { width: 1.2 });
  for (const rail of [104, 122])
    pen.line([w * 0.01, horizon + rail], [w * 0.34, horizon + rail], { width: 4, colour: '#e3dbc6' });
  bush(stage, w * 0.9, horizon + 96, random.between(90, 130));
}
