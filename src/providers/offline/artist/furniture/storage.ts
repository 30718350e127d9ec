import { darker, lighter, mix } from '../colour';
import type { Stage } from '../stage';

const SPINES = ['#8c4f45', '#4f6a6d', '#b08a4d', '#6d6a86', '#57694f', '#a39a86', '#7a4a5c'] as const;

/** Shelves full of books, jars, or files. */
export function shelves(
  stage: Stage,
  x: number,
  y: number,
  width: number,
  height: number,
  content: 'books' | 'jars' | 'boxes' | 'letters' = 'books',
): void {
  const { pen } = stage;
  pen.rect(x, y, width, height, '#7d6350', { width: 1.7 });
  const rows = Math.max(2, Math.round(height / 52));
  const rowHeight = height / rows;
  for (let row = 0; row < rows; row += 1) {
    const top = y + row * rowHeight;
    pen.rect(x + 5, top + 5, width - 10, rowHeight - 8, '#5a4739');
    fill(stage, x + 8, top + rowHeight - 4, width - 16, rowHeight - 14, content);
    pen.line([x, top + rowHeight], [x + width, top + rowHeight], { width: 2 });
  }
}

function fill(
  stage: Stage,
  x: number,
  baseY: number,
  width: number,
  room: number,
  content: 'books' | 'jars' | 'boxes' | 'letters',
): void {
  const { pen, random } = stage;
  for (let at = 0; at < width - 8;) {
    const size =
      content === 'books'
        ? random.between(6, 13)
        : content === 'letters'
          ? random.between(13, 20)
          : random.between(17, 30);
    if (at + size > width) return;
    const tall = room * (content === 'letters' ? random.between(0.35, 0.6) : random.between(0.6, 0.98));
    if (content === 'jars') {
      pen.rect(x + at, baseY - tall, size - 3, tall, mix('#b9c4b4', random.pick(SPINES), 0.4), {
        width: 1,
        alpha: 0.6,
      });
      pen.rect(x + at + 2, baseY - tall - 4, size - 7, 5, '#c2a467', { width: 0.8, alpha: 0.6 });
    } else if (content === 'letters') {
      pen.rect(x + at, baseY - tall, size - 2, tall, random.chance(0.2) ? '#d8b9a0' : '#efe6d0', {
        width: 0.9,
        alpha: 0.6,
      });
      pen.line([x + at, baseY - tall], [x + at + size / 2, baseY - tall * 0.55], { width: 0.7, alpha: 0.4 });
    } else
      pen.rect(
        x + at,
        baseY - tall,
        size - 1,
        tall,
        content === 'boxes' ? lighter('#a98d66', random.between(0, 0.3)) : random.pick(SPINES),
        { width: 0.9, alpha: 0.6 },
      );
    at += size + (random.chance(0.12) ? 9 : 0);
  }
}

/** A counter or long chest seen from the front. */
export function counter(
  stage: Stage,
  x: number,
  floorY: number,
  width: number,
  height: number,
  colour = '#8f7156',
): void {
  const { pen } = stage;
  pen.rect(x, floorY - height, width, height, colour, { width: 1.7 });
  pen.rect(x - 8, floorY - height - 9, width + 16, 11, lighter(colour, 0.25), { width: 1.6 });
  const panels = Math.max(2, Math.round(width / 80));
  for (let panel = 0; panel < panels; panel += 1)
    pen.rect(
      x + 8 + (panel * (width - 8)) / panels,
      floorY - height + 12,
      (width - 8) / panels - 10,
      height - 24,
      darker(colour, 0.08),
      { width: 1, alpha: 0.5 },
    );
}

/** Wall cupboards. */
export function cupboards(stage: Stage, x: number, y: number, width: number, height: number, colour = '#a9a48c'): void {
  const { pen } = stage;
  const doors = Math.max(2, Math.round(width / 60));
  for (let index = 0; index < doors; index += 1) {
    const dx = x + (index * width) / doors;
    pen.rect(dx, y, width / doors, height, colour, { width: 1.5 });
    pen.rect(dx + 7, y + 8, width / doors - 14, height - 16, darker(colour, 0.06), { width: 0.9, alpha: 0.5 });
    pen.ellipse(dx + (index % 2 === 0 ? width / doors - 5 : 5), y + height * 0.75, 2, 2, '#5d5648');
  }
}

/** A wall of lockers or filing drawers. */
export function drawers(
  stage: Stage,
  x: number,
  y: number,
  width: number,
  height: number,
  columns: number,
  rows: number,
  colour: string,
): void {
  const { pen, random } = stage;
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const dx = x + (column * width) / columns;
      const dy = y + (row * height) / rows;
      pen.rect(dx, dy, width / columns, height / rows, mix(colour, '#d9d0bd', random.between(0, 0.18)), {
        width: 1.2,
        alpha: 0.65,
      });
      pen.line(
        [dx + width / columns / 2 - 5, dy + height / rows / 2],
        [dx + width / columns / 2 + 5, dy + height / rows / 2],
        { width: 1.6, alpha: 0.6 },
      );
    }
}
