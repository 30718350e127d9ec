import { darker, lighter } from '../colour';
import type { Stage } from '../stage';

/** The back wall of a room in one-point perspective, in units. */
export interface BackWall {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly floor: number;
}

export interface RoomColours {
  readonly wall: string;
  readonly floor: string;
  readonly ceiling?: string;
  readonly boards?: 'planks' | 'tiles' | 'none';
  /** How far the back wall is: 0.5 a narrow cell, 0.85 a shallow stage. */
  readonly width?: number;
}

/** Walls, ceiling and floor of a room. Answers where the back wall is, so that furniture can stand against it. */
export function room(stage: Stage, colours: RoomColours): BackWall {
  const { pen, w, h } = stage;
  const half = (w * (colours.width ?? 0.74)) / 2;
  const wall: BackWall = { left: w / 2 - half, right: w / 2 + half, top: h * 0.1, floor: h * 0.68 };
  const ceiling = colours.ceiling ?? lighter(colours.wall, 0.35);
  pen.shape(
    [
      [-10, -10],
      [w + 10, -10],
      [wall.right, wall.top],
      [wall.left, wall.top],
    ],
    ceiling,
    { width: 1.4, alpha: 0.6 },
  );
  pen.shape(
    [
      [-10, -10],
      [wall.left, wall.top],
      [wall.left, wall.floor],
      [-10, h * 1.06],
    ],
    darker(colours.wall, 0.12),
    { width: 1.6, alpha: 0.7 },
  );
  pen.shape(
    [
      [w + 10, -10],
      [wall.right, wall.top],
      [wall.right, wall.floor],
      [w + 10, h * 1.06],
    ],
    darker(colours.wall, 0.2),
    { width: 1.6, alpha: 0.7 },
  );
  pen.shape(
    [
      [wall.left, wall.floor],
      [wall.right, wall.floor],
      [w + 10, h * 1.06],
      [w + 10, h + 20],
      [-10, h + 20],
      [-10, h * 1.06],
    ],
    colours.floor,
    { width: 1.6, alpha: 0.7 },
  );
  floorLines(stage, wall, colours.boards ?? 'planks');
  pen.rect(wall.left, wall.top, wall.right - wall.left, wall.floor - wall.top, colours.wall, {
    width: 1.8,
    alpha: 0.8,
  });
  pen.line([wall.left, wall.floor - 9], [wall.right, wall.floor - 9], { width: 1.2, alpha: 0.5 });
  pen.hatch(wall.right, wall.top, w - wall.right, h * 0.7, 15, { alpha: 0.14 });
  return wall;
}

function floorLines(stage: Stage, wall: BackWall, boards: 'planks' | 'tiles' | 'none'): void {
  const { pen, w, h } = stage;
  if (boards === 'none') return;
  const count = 12;
  for (let board = 1; board < count; board += 1) {
    const share = board / count;
    const topX = wall.left + (wall.right - wall.left) * share;
    const bottomX = w / 2 + (topX - w / 2) * 1.75;
    pen.line([topX, wall.floor], [bottomX, h + 10], { width: 0.9, alpha: 0.28 });
  }
  if (boards !== 'tiles') return;
  for (let row = 1; row < 6; row += 1) {
    const y = wall.floor + (h - wall.floor) * (row / 6) ** 1.6;
    pen.line([0, y], [w, y], { width: 0.9, alpha: 0.26 });
  }
}
