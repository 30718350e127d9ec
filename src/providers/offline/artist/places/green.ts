import { bush, ground, hills, rock, tree } from '../scenery/land';
import { sky } from '../scenery/sky';
import type { Stage } from '../stage';

export function forest(stage: Stage): void {
  const { random, w, h, horizon, text } = stage;
  sky(stage, horizon);
  hills(stage, horizon + 14, 130, '#6f8a72', 0.6);
  const kind = /winter|snow|dead|겨울|눈/i.test(text) ? 'bare' : random.pick(['leafy', 'pine', 'leafy'] as const);
  ground(stage, horizon + 20, '#7f8f63', 'grass');
  for (let row = 0; row < 3; row += 1)
    for (let number = 0; number < 7; number += 1) {
      const x = w * (number / 6) + random.between(-50, 50);
      const gap = Math.abs(x - w * 0.52) < w * (0.06 + row * 0.12);
      if (!gap) tree(stage, x, horizon + 26 + row * 42, 160 + row * 110, kind);
    }
  for (let clump = 0; clump < 5; clump += 1)
    bush(stage, random.between(0, w), h * random.between(0.82, 0.98), random.between(60, 120));
}

export function field(stage: Stage): void {
  const { pen, random, w, h, horizon, text } = stage;
  sky(stage, horizon);
  hills(stage, horizon + 6, 80, '#7d9080', 0.65);
  hills(stage, horizon + 12, 44, '#86976b', 0.3);
  ground(stage, horizon + 10, '#9aa86f', 'grass');
  tree(stage, w * 0.16, horizon + 78, 210);
  tree(stage, w * 0.84, horizon + 52, 150);
  bush(stage, w * 0.3, horizon + 70, 90);
  bush(stage, w * 0.95, horizon + 96, 120);
  if (/park|garden|playground|yard|공원|정원|운동장|마당/i.test(text)) {
    pen.shape(
      [
        [w * 0.5, horizon + 18],
        [w * 0.54, horizon + 18],
        [w * 0.72, h + 10],
        [w * 0.4, h + 10],
      ],
      '#cdbd98',
      { width: 1.3, alpha: 0.6 },
    );
    const x = w * 0.66;
    const y = horizon + 104;
    for (const slat of [0, 13, 26]) pen.rect(x, y - 40 - slat, 150, 9, '#8d6d50', { width: 1.3 });
    for (const leg of [14, 132]) pen.line([x + leg, y - 70], [x + leg, y], { width: 5 });
    return;
  }
  for (let furrow = 0; furrow < 8; furrow += 1)
    pen.curve(
      [
        [w * (0.2 + furrow * 0.09), horizon + 26],
        [w * (0.1 + furrow * 0.11), h * 0.8],
        [w * (-0.1 + furrow * 0.17), h],
      ],
      { width: 1.2, alpha: 0.25 },
    );
  rock(stage, w * random.between(0.4, 0.6), h * 0.9, 60);
}
