import { desk, chair, table } from '../furniture/seating';
import { board, pendant, picture, plant, wallClock } from '../furniture/fittings';
import { counter, drawers, shelves } from '../furniture/storage';
import { door, windowPane } from '../furniture/openings';
import { room } from '../furniture/room';
import type { Stage } from '../stage';

export function office(stage: Stage): void {
  const { random, w, h, text } = stage;
  const wall = room(stage, { wall: random.pick(['#b9ab8c', '#a8b3a4', '#b5a99b']), floor: '#8d6f55' });
  shelves(stage, wall.left + 14, wall.top + 24, 150, wall.floor - wall.top - 30);
  windowPane(stage, wall.left + 220, wall.top + 40, 120, 150);
  windowPane(stage, wall.left + 380, wall.top + 40, 120, 150);
  drawers(stage, wall.right - 128, wall.floor - 130, 108, 130, 2, 4, '#9a8a6e');
  if (/clock|tide|시계|조석/i.test(text))
    for (let clock = 0; clock < 6; clock += 1)
      wallClock(stage, wall.right - 206 + (clock % 3) * 62, wall.top + 42 + Math.floor(clock / 3) * 66, 25);
  else picture(stage, wall.right - 112, wall.top + 54, 76, 92);
  desk(stage, w * 0.32, h * 0.9, w * 0.36, 104);
  chair(stage, w * 0.16, h * 0.93, 78);
  pendant(stage, w * 0.5, h * 0.13);
}

export function archive(stage: Stage): void {
  const { w, h } = stage;
  const wall = room(stage, { wall: '#8f8676', floor: '#7b7064', boards: 'tiles', ceiling: '#77705f' });
  for (let unit = 0; unit < 4; unit += 1)
    shelves(
      stage,
      wall.left + 10 + unit * ((wall.right - wall.left - 20) / 4),
      wall.top + 12,
      (wall.right - wall.left - 20) / 4 - 10,
      wall.floor - wall.top - 14,
      unit % 2 === 0 ? 'boxes' : 'books',
    );
  for (const x of [0.02, 0.86]) shelves(stage, w * x, h * 0.12, w * 0.12, h * 0.74, 'boxes');
  table(stage, w * 0.36, h * 0.93, w * 0.28, 88);
  pendant(stage, w * 0.34, h * 0.12);
  pendant(stage, w * 0.66, h * 0.12);
}

export function postOffice(stage: Stage): void {
  const { pen, random, w, h } = stage;
  const wall = room(stage, { wall: '#a98f76', floor: '#8d6f52', width: 0.82 });
  for (let unit = 0; unit < 5; unit += 1)
    shelves(
      stage,
      wall.left + 10 + unit * ((wall.right - wall.left - 20) / 5),
      wall.top + 8,
      (wall.right - wall.left - 20) / 5 - 8,
      (wall.floor - wall.top) * 0.74,
      'letters',
    );
  counter(stage, w * 0.2, h * 0.84, w * 0.6, 96, '#7c5a44');
  for (let letter = 0; letter < 15; letter += 1) {
    const x = random.between(w * 0.06, w * 0.94);
    const y = random.between(h * 0.1, h * 0.6);
    const size = random.between(10, 20);
    const tilt = random.between(-0.5, 0.5);
    pen.shape(
      [
        [x, y],
        [x + size, y + size * tilt],
        [x + size * 0.94, y + size * (tilt + 0.6)],
        [x - size * 0.06, y + size * 0.6],
      ],
      '#f5eedb',
      { width: 1.1 },
    );
    pen.curve(
      [
        [x, y],
        [x + size * 0.45, y + size * 0.4],
        [x + size, y + size * tilt],
      ],
      { width: 0.9, alpha: 0.6 },
    );
  }
  pendant(stage, w * 0.3, h * 0.12, '#8f5f43');
  pendant(stage, w * 0.7, h * 0.12, '#8f5f43');
}

export function classroom(stage: Stage): void {
  const { w, h } = stage;
  const wall = room(stage, { wall: '#c5c7b0', floor: '#a88a67' });
  board(stage, wall.left + 170, wall.top + 44, 330, 130, '#48614f');
  windowPane(stage, wall.left + 24, wall.top + 36, 104, 160);
  wallClock(stage, wall.right - 90, wall.top + 64, 26);
  door(stage, wall.right - 128, wall.floor, 86, 168);
  for (const [row, size] of [
    [0.78, 0.16],
    [0.97, 0.22],
  ] as const)
    for (const x of [0.08, 0.4, 0.72]) table(stage, w * x, h * row, w * size, h * 0.14);
}

export function hall(stage: Stage): void {
  const { pen, w, h, light } = stage;
  const wall = room(stage, { wall: '#bfb199', floor: '#b08a5c', width: 0.62 });
  for (let pane = 0; pane < 5; pane += 1) {
    const x = wall.left + 30 + pane * 118;
    pen.rect(x, wall.top + 26, 74, 106, light.sky[1], { width: 1.5 });
    for (const bar of [25, 50]) pen.line([x + bar, wall.top + 26], [x + bar, wall.top + 132], { width: 1 });
    pen.line([x, wall.top + 78], [x + 74, wall.top + 78], { width: 1 });
  }
  pen.rect(w / 2 - 150, wall.floor - 70, 300, 70, '#8d6b4c', { width: 1.6 });
  pen.shape(
    [
      [w / 2 - 158, wall.floor - 66],
      [w / 2 + 158, wall.floor - 66],
      [w / 2 + 140, wall.floor - 84],
      [w / 2 - 140, wall.floor - 84],
    ],
    '#a9855f',
    { width: 1.6 },
  );
  pen.curve(
    [
      [w * 0.2, h * 0.98],
      [w * 0.5, h * 0.76],
      [w * 0.8, h * 0.98],
    ],
    { width: 2.6, colour: '#e9dcc0', alpha: 0.8 },
  );
  for (let lamp = 0; lamp < 3; lamp += 1) pendant(stage, w * (0.26 + lamp * 0.24), h * 0.1);
}

export function clinic(stage: Stage): void {
  const { pen, w, h } = stage;
  const wall = room(stage, { wall: '#c3d0cb', floor: '#b9bfb8', boards: 'tiles' });
  windowPane(stage, wall.left + 300, wall.top + 40, 140, 130);
  pen.rect(wall.left + 30, wall.floor - 70, 230, 30, '#e9ece6', { width: 1.6 });
  pen.rect(wall.left + 36, wall.floor - 84, 60, 18, '#f7f6ef', { width: 1.4 });
  for (const x of [36, 246])
    pen.line([wall.left + x, wall.floor - 40], [wall.left + x, wall.floor + 4], { width: 3.4, colour: '#8f979a' });
  pen.shape(
    [
      [wall.left + 20, wall.top + 12],
      [wall.left + 120, wall.top + 12],
      [wall.left + 104, wall.floor - 20],
      [wall.left + 28, wall.floor - 20],
    ],
    '#a9c2bd',
    { width: 1.4 },
  );
  for (let fold = 1; fold < 5; fold += 1)
    pen.line([wall.left + 20 + fold * 19, wall.top + 14], [wall.left + 26 + fold * 16, wall.floor - 24], {
      width: 1,
      alpha: 0.4,
    });
  pen.line([wall.left + 285, wall.floor], [wall.left + 285, wall.top + 70], { width: 2.4, colour: '#7f878a' });
  pen.rect(wall.left + 274, wall.top + 78, 22, 36, '#dbe6e2', { width: 1.2 });
  shelves(stage, wall.right - 150, wall.top + 30, 110, 120, 'jars');
  counter(stage, wall.right - 210, wall.floor + 6, 190, 84, '#d3d5cc');
  plant(stage, w * 0.06, h * 0.92, 90);
  pendant(stage, w * 0.5, h * 0.06, '#d5d8d2');
}

export function machineRoom(stage: Stage): void {
  const { pen, random, w, h } = stage;
  const wall = room(stage, { wall: '#7f8580', floor: '#6c6a64', boards: 'tiles', ceiling: '#5f635f' });
  for (let pipe = 0; pipe < 5; pipe += 1) {
    const y = wall.top + 14 + pipe * 22;
    pen.line([wall.left, y], [wall.right, y + random.between(-6, 6)], {
      width: 10,
      colour: random.pick(['#8b6a55', '#66777a', '#8f8a60']),
    });
    pen.line([wall.left, y - 4], [wall.right, y - 4], { width: 1, alpha: 0.6 });
  }
  for (const [x, size] of [
    [0.2, 1],
    [0.56, 1.15],
  ] as const) {
    pen.rect(w * x, wall.floor - 120 * size, 210, 130 * size, '#5d6f6b', { width: 2 });
    pen.ellipse(w * x + 60, wall.floor - 66 * size, 36, 36, '#4a5250', { width: 2 });
    pen.ellipse(w * x + 60, wall.floor - 66 * size, 15, 15, '#8d8a72', { width: 1.5 });
    for (let gauge = 0; gauge < 3; gauge += 1)
      pen.ellipse(w * x + 124 + gauge * 30, wall.floor - 92 * size, 11, 11, '#ece3c9', { width: 1.5 });
    pen.rect(w * x + 118, wall.floor - 62 * size, 76, 44, '#465450', { width: 1.4 });
  }
  pen.line([0, h * 0.86], [w, h * 0.9], { width: 7, colour: '#a8893c' });
  for (let post = 0; post < 6; post += 1)
    pen.line([post * w * 0.2, h * 0.86], [post * w * 0.2, h], { width: 5, colour: '#a8893c' });
  pendant(stage, w * 0.44, h * 0.16, '#4b4a44');
}
