import type { Pen } from './pen';

/** The outline that a plan is drawn in, in units. */
export interface PlanRoom {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Paper with the fine squares of a drafting pad. */
export function lightPaper(pen: Pen, w: number, h: number): void {
  pen.rect(0, 0, w, h, pen.style.paper);
  for (let x = 0; x < w; x += 24) pen.line([x, 0], [x, h], { width: 0.6, colour: '#a9bdc4', alpha: 0.35 });
  for (let y = 0; y < h; y += 24) pen.line([0, y], [w, y], { width: 0.6, colour: '#a9bdc4', alpha: 0.35 });
}

/** Walls with a door that opens inwards and windows. */
export function walls(pen: Pen, room: PlanRoom, floor: string): void {
  const { x, y, w, h } = room;
  const thick = 11;
  pen.rect(x - thick, y - thick, w + thick * 2, h + thick * 2, '#4a4650', { width: 1.6 });
  pen.rect(x, y, w, h, floor, { width: 1.4 });
  for (let board = 1; board < 12; board += 1)
    pen.line([x, y + (h * board) / 12], [x + w, y + (h * board) / 12], { width: 0.7, alpha: 0.16 });
  for (const share of [0.18, 0.58]) {
    pen.rect(x + w * share, y - thick, w * 0.2, thick, '#dfeaec', { width: 1.4 });
    pen.line([x + w * share, y - thick / 2], [x + w * (share + 0.2), y - thick / 2], { width: 1.2 });
  }
  const doorX = x + w * 0.74;
  const doorW = w * 0.12;
  pen.rect(doorX, y + h, doorW, thick, floor);
  pen.line([doorX, y + h], [doorX, y + h - doorW], { width: 2.6 });
  pen.curve(
    [
      [doorX, y + h - doorW],
      [doorX + doorW * 0.75, y + h - doorW * 0.75],
      [doorX + doorW, y + h],
    ],
    { width: 1.1, alpha: 0.6 },
  );
}
