import { cupboards, counter, shelves } from '../furniture/storage';
import { pendant, picture, plant, rug, stove, wallClock } from '../furniture/fittings';
import { bed, chair, sofa, table } from '../furniture/seating';
import { door, windowPane } from '../furniture/openings';
import { room } from '../furniture/room';
import type { Stage } from '../stage';

export function livingRoom(stage: Stage): void {
  const { random, w, h } = stage;
  const wall = room(stage, { wall: random.pick(['#c9bda2', '#b8bfae', '#c7ab98', '#aeb4bd']), floor: '#a5825f' });
  windowPane(stage, wall.left + 60, wall.top + 46, 130, 150, true);
  picture(stage, wall.left + 265, wall.top + 62, 84, 62);
  picture(stage, wall.left + 366, wall.top + 76, 54, 70);
  shelves(stage, wall.right - 210, wall.top + 30, 120, wall.floor - wall.top - 34);
  rug(stage, w * 0.3, h * 0.78, w * 0.42, random.pick(['#9a5b52', '#5f7280', '#7c7a52']));
  sofa(stage, wall.left + 240, wall.floor + 34, 230, random.pick(['#7f8f86', '#a4765e', '#6d7590']));
  plant(stage, wall.right - 40, wall.floor + 26, 84);
  pendant(stage, w * 0.54, h * 0.17);
}

export function kitchen(stage: Stage): void {
  const { w, h } = stage;
  const wall = room(stage, { wall: '#c8cdb8', floor: '#b8a890', boards: 'tiles' });
  cupboards(stage, wall.left + 12, wall.top + 18, 230, 82);
  windowPane(stage, wall.left + 290, wall.top + 30, 150, 122, true);
  cupboards(stage, wall.right - 130, wall.top + 18, 120, 82);
  counter(stage, wall.left + 10, wall.floor + 6, 470, 92, '#a08a6b');
  stove(stage, wall.right - 200, wall.floor + 8, 112, 100);
  wallClock(stage, wall.right - 230, wall.top + 58, 22);
  table(stage, w * 0.3, h * 0.95, w * 0.4, 110, '#a07a58');
  pendant(stage, w * 0.5, h * 0.2);
}

export function bedroom(stage: Stage): void {
  const { random, w, h } = stage;
  const wall = room(stage, { wall: random.pick(['#b7b3c4', '#c6b8a6', '#aebdbb']), floor: '#9c7f63' });
  windowPane(stage, wall.right - 250, wall.top + 44, 140, 140, true);
  bed(stage, wall.left + 40, wall.floor + 60, 330, random.pick(['#8fa3b3', '#b58a85', '#9fa87f']));
  picture(stage, wall.left + 130, wall.top + 62, 96, 66);
  counter(stage, wall.left + 395, wall.floor + 18, 74, 66);
  chair(stage, wall.right - 60, wall.floor + 56, 62);
  rug(stage, w * 0.34, h * 0.84, w * 0.34, '#8d7a8c');
  pendant(stage, wall.left + 430, wall.floor - 140);
}

export function corridor(stage: Stage): void {
  const { random, w, h } = stage;
  const colour = random.pick(['#b9b6a4', '#a9b5b3', '#b3a99c']);
  const wall = room(stage, { wall: colour, floor: '#8f8373', boards: 'tiles', width: 0.26 });
  door(stage, w / 2 - 38, wall.floor, 76, 150, '#74604f');
  for (const side of [-1, 1])
    for (let number = 0; number < 3; number += 1) {
      const near = 0.3 + number * 0.3;
      const x = w / 2 + side * (w * 0.13 + near * w * 0.33);
      const tall = 170 + near * 190;
      const width = 26 + near * 34;
      const floorY = wall.floor + near * (h * 1.06 - wall.floor) * 0.9;
      const lean = side * near * 10;
      stage.pen.shape(
        [
          [x, floorY - side * 4],
          [x + side * width, floorY + near * 22],
          [x + side * width, floorY - tall - lean * 0],
          [x, floorY - tall + near * 26],
        ],
        '#7d6a58',
        { width: 1.6 },
      );
    }
  for (let lamp = 0; lamp < 3; lamp += 1) pendant(stage, w / 2, h * (0.02 + lamp * 0.05));
}

export function stairs(stage: Stage): void {
  const { pen, random, w, h } = stage;
  const wall = room(stage, { wall: random.pick(['#a8a498', '#b3a58f', '#9aa3a8']), floor: '#8c8073', width: 0.62 });
  const steps = 11;
  for (let step = steps; step >= 0; step -= 1) {
    const share = step / steps;
    const x = w * (0.3 + share * 0.38);
    const y = h * (0.96 - share * 0.66);
    const half = w * (0.2 - share * 0.09);
    const rise = h * (0.062 - share * 0.018);
    pen.rect(x - half, y - rise, half * 2, rise + 4, '#94826d', { width: 1.4 });
    pen.shape(
      [
        [x - half, y - rise],
        [x + half, y - rise],
        [x + half * 0.92, y - rise * 1.7],
        [x - half * 0.92, y - rise * 1.7],
      ],
      '#bba98f',
      { width: 1.3 },
    );
  }
  pen.curve(
    [
      [w * 0.09, h * 0.72],
      [w * 0.4, h * 0.36],
      [w * 0.57, h * 0.08],
    ],
    { width: 6, colour: '#6a5142' },
  );
  for (let post = 0; post < 7; post += 1)
    pen.line(
      [w * (0.12 + post * 0.07), h * (0.69 - post * 0.09)],
      [w * (0.12 + post * 0.07), h * (0.92 - post * 0.09)],
      { width: 2.2 },
    );
  windowPane(stage, wall.right - 130, wall.top + 36, 86, 110);
  pendant(stage, w * 0.36, h * 0.1);
}
