import { buildings } from '../scenery/town';
import { ground, hills, rock, tree } from '../scenery/land';
import { sea } from '../scenery/water';
import { sky } from '../scenery/sky';
import type { Stage } from '../stage';

export function rooftop(stage: Stage): void {
  const { pen, random, w, h, horizon, text } = stage;
  sky(stage, horizon + 20);
  hills(stage, horizon + 10, 60, '#7c8793', 0.7);
  buildings(stage, horizon + 50, 40, 120, 0.65);
  buildings(stage, horizon + 64, 30, 80, 0.35);
  pen.rect(-10, horizon + 40, w + 20, 34, '#a8a197', { width: 1.7 });
  pen.rect(-10, horizon + 34, w + 20, 10, '#c2baac', { width: 1.5 });
  ground(stage, horizon + 74, '#7f9179', 'plain');
  const tankX = w * 0.76;
  for (const leg of [-58, -20, 20, 58])
    pen.line([tankX + leg, horizon + 104], [tankX + leg * 0.9, horizon + 8], { width: 5 });
  pen.rect(tankX - 74, horizon - 112, 148, 122, '#c4a95c', { width: 2 });
  pen.ellipse(tankX, horizon - 112, 76, 18, '#d6bf78', { width: 2 });
  for (const band of [-70, -30])
    pen.line([tankX - 74, horizon + band], [tankX + 74, horizon + band], { width: 1.4, alpha: 0.6 });
  pen.rect(w * 0.04, horizon - 64, 180, 150, '#b0a494', { width: 1.9 });
  pen.rect(w * 0.04 - 8, horizon - 74, 196, 14, '#8f8577', { width: 1.6 });
  pen.rect(w * 0.04 + 96, horizon - 22, 56, 108, '#6d7f86', { width: 1.7 });
  for (const x of [0.3, 0.34]) pen.line([w * x, horizon + 38], [w * x, horizon - 54], { width: 2 });
  pen.curve(
    [
      [w * 0.3, horizon - 44],
      [w * 0.45, horizon - 24],
      [w * 0.62, horizon - 40],
    ],
    { width: 1.2 },
  );
  for (let pot = 0; pot < 4; pot += 1)
    pen.rect(w * (0.27 + pot * 0.05), horizon + 68, 30, 22, random.pick(['#a9654f', '#8c7a63']), { width: 1.3 });
  if (/mail ?box|우체통/i.test(text)) pen.ellipse(w * 0.62, h * 0.9, 40, 8, '#6b7c66');
}

export function mountain(stage: Stage): void {
  const { pen, random, w, h, horizon, text } = stage;
  const cliff = /cliff|절벽/i.test(text);
  sky(stage, horizon);
  if (cliff) sea(stage, horizon - 20, h);
  hills(stage, horizon + 10, 200, '#7c8796', 0.75, true);
  hills(stage, horizon + 16, 130, '#74806f', 0.4, true);
  if (cliff) {
    pen.shape(
      [
        [-20, horizon + 20],
        [w * 0.24, horizon + 6],
        [w * 0.58, horizon + 74],
        [w * 0.74, horizon + 140],
        [w * 0.78, h + 20],
        [-20, h + 20],
      ],
      '#8f9a74',
      { width: 2 },
    );
    for (let crack = 0; crack < 7; crack += 1)
      pen.line([w * (0.6 + crack * 0.024), horizon + 96 + crack * 12], [w * (0.64 + crack * 0.022), h], {
        width: 1.2,
        alpha: 0.4,
      });
  } else ground(stage, horizon + 14, '#8f9a74', 'grass');
  pen.shape(
    [
      [w * 0.3, horizon + 60],
      [w * 0.33, horizon + 60],
      [w * 0.52, h + 10],
      [w * 0.26, h + 10],
    ],
    '#c1af8b',
    { width: 1.3, alpha: 0.6 },
  );
  tree(stage, w * 0.1, horizon + 90, 160, 'pine');
  tree(stage, w * 0.19, horizon + 70, 110, 'pine');
  if (!cliff) tree(stage, w * 0.88, horizon + 100, 190, 'pine');
  for (let stone = 0; stone < 4; stone += 1)
    rock(stage, w * random.between(0.05, 0.55), horizon + random.between(90, 170), random.between(34, 80));
}

export function skyOnly(stage: Stage): void {
  const { h } = stage;
  sky(stage, h * 0.95);
  hills(stage, h + 10, 70, '#7f8f9a', 0.5);
}
