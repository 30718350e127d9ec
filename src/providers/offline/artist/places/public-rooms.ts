import { chair, table } from '../furniture/seating';
import { board, pendant, plant } from '../furniture/fittings';
import { counter, shelves } from '../furniture/storage';
import { windowPane } from '../furniture/openings';
import { room } from '../furniture/room';
import type { Stage } from '../stage';

export function cafe(stage: Stage): void {
  const { random, w, h } = stage;
  const wall = room(stage, { wall: random.pick(['#b08f73', '#8fa096', '#b9a482']), floor: '#8a6a50' });
  shelves(stage, wall.left + 20, wall.top + 24, 210, 96, 'jars');
  counter(stage, wall.left + 10, wall.floor + 14, 300, 96, '#6f5240');
  board(stage, wall.left + 262, wall.top + 34, 120, 92, '#3f4a45');
  windowPane(stage, wall.right - 300, wall.top + 40, 240, 150);
  for (const [x, y, size] of [
    [0.52, 0.86, 0.15],
    [0.74, 0.97, 0.18],
    [0.06, 0.99, 0.17],
  ] as const) {
    chair(stage, w * (x + size * 1.1), h * y, 74);
    table(stage, w * x, h * y, w * size, 84, '#8f6c50');
  }
  for (const x of [0.3, 0.52, 0.74]) pendant(stage, w * x, h * 0.15, '#7a4f3c');
}

export function shop(stage: Stage): void {
  const { pen, random, w, h } = stage;
  const wall = room(stage, { wall: '#ad9a7d', floor: '#8d7259', width: 0.78 });
  for (let unit = 0; unit < 4; unit += 1)
    shelves(
      stage,
      wall.left + 12 + unit * 190,
      wall.top + 16,
      176,
      wall.floor - wall.top - 20,
      random.pick(['jars', 'boxes', 'jars', 'books']),
    );
  for (let item = 0; item < 6; item += 1) {
    const x = wall.left + 60 + item * 128;
    pen.line([x, 0], [x, h * 0.14], { width: 1.6 });
    if (item % 2 === 0)
      for (let coil = 0; coil < 3; coil += 1)
        pen.ellipse(x, h * 0.19, 22 - coil * 5, 26 - coil * 5, undefined, { width: 3, colour: '#b49a6a' });
    else
      pen.shape(
        [
          [x - 12, h * 0.15],
          [x + 12, h * 0.15],
          [x + 9, h * 0.23],
          [x - 9, h * 0.23],
        ],
        '#c0a05a',
        { width: 1.5 },
      );
  }
  counter(stage, w * 0.16, h * 0.9, w * 0.48, 110, '#7a5a45');
  pen.rect(w * 0.52, h * 0.9 - 166, 86, 52, '#5d6769', { width: 1.7 });
  pen.rect(w * 0.53, h * 0.9 - 182, 62, 22, '#dfe4cf', { width: 1.3 });
  plant(stage, w * 0.93, h * 0.97, 88);
  pendant(stage, w * 0.42, h * 0.2);
}

export function booth(stage: Stage): void {
  const { pen, light, w, h } = stage;
  pen.rect(-10, -10, w + 20, h + 20, light.sky[1]);
  windowPane(stage, w * 0.12, h * 0.02, w * 0.3, h * 0.92);
  windowPane(stage, w * 0.58, h * 0.02, w * 0.3, h * 0.92);
  for (const x of [0, 0.43, 0.9]) pen.rect(w * x, -10, w * 0.14, h + 20, '#9a4238', { width: 1.8 });
  pen.rect(-10, -10, w + 20, h * 0.09, '#9a4238', { width: 1.8 });
  pen.rect(w * 0.455, h * 0.26, 92, 140, '#4c4f53', { width: 2 });
  pen.rect(w * 0.472, h * 0.3, 58, 34, '#c9d3c4', { width: 1.3 });
  for (let key = 0; key < 9; key += 1)
    pen.rect(w * 0.477 + (key % 3) * 18, h * 0.41 + Math.floor(key / 3) * 16, 12, 10, '#d7d2c2', { width: 0.9 });
  pen.blob(
    [
      [w * 0.44, h * 0.27],
      [w * 0.43, h * 0.4],
      [w * 0.44, h * 0.53],
      [w * 0.45, h * 0.4],
    ],
    '#2f3135',
    { width: 2 },
  );
  pen.curve(
    [
      [w * 0.44, h * 0.53],
      [w * 0.45, h * 0.72],
      [w * 0.5, h * 0.62],
      [w * 0.5, h * 0.56],
    ],
    { width: 3 },
  );
  stage.glows.push({ x: w / 2, y: h * 0.05, radius: 300, colour: '#ffe9b8', strength: light.lampsLit ? 0.5 : 0.12 });
}
