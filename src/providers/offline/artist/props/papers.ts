import { darker } from '../colour';
import type { Pen } from '../pen';

export function letter(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.shape(
    [
      [x - s * 0.85, y - s * 0.5],
      [x + s * 0.8, y - s * 0.56],
      [x + s * 0.86, y + s * 0.5],
      [x - s * 0.8, y + s * 0.56],
    ],
    '#f4ecd8',
    rim,
  );
  pen.curve(
    [
      [x - s * 0.85, y - s * 0.5],
      [x - s * 0.1, y + s * 0.12],
      [x + s * 0.05, y + s * 0.11],
      [x + s * 0.8, y - s * 0.56],
    ],
    rim,
  );
  pen.ellipse(x, y + s * 0.08, s * 0.13, s * 0.13, '#a53c34', { width: Math.max(1, s * 0.025) });
}

export function ticket(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.shape(
    [
      [x - s * 0.85, y - s * 0.3],
      [x + s * 0.8, y - s * 0.42],
      [x + s * 0.86, y + s * 0.32],
      [x - s * 0.78, y + s * 0.44],
    ],
    '#e7c978',
    rim,
  );
  pen.line([x + s * 0.36, y - s * 0.38], [x + s * 0.42, y + s * 0.36], { width: Math.max(1, s * 0.03), alpha: 0.6 });
  for (const dy of [-0.12, 0.06, 0.22])
    pen.line([x - s * 0.66, y + s * (dy + 0.04)], [x + s * 0.2, y + s * (dy - 0.03)], {
      width: Math.max(1, s * 0.04),
      alpha: 0.6,
    });
  pen.ellipse(x + s * 0.6, y - s * 0.02, s * 0.1, s * 0.1, '#8c5b2f', rim);
}

export function paper(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.03) };
  for (const shift of [0.08, 0])
    pen.shape(
      [
        [x - s * (0.58 - shift), y - s * (0.82 - shift)],
        [x + s * (0.52 + shift), y - s * (0.78 - shift)],
        [x + s * (0.58 + shift), y + s * (0.78 + shift)],
        [x - s * (0.54 - shift), y + s * (0.82 + shift)],
      ],
      '#f7f1e1',
      rim,
    );
  for (let line = 0; line < 8; line += 1)
    pen.line(
      [x - s * 0.4, y - s * 0.58 + line * s * 0.15],
      [x + s * (line === 7 ? 0 : 0.4), y - s * 0.56 + line * s * 0.15],
      { width: Math.max(0.9, s * 0.025), alpha: 0.55 },
    );
}

export function book(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  const cover = '#6d4a5c';
  pen.shape(
    [
      [x - s * 0.9, y - s * 0.42],
      [x, y - s * 0.26],
      [x + s * 0.9, y - s * 0.42],
      [x + s * 0.92, y + s * 0.5],
      [x, y + s * 0.64],
      [x - s * 0.92, y + s * 0.5],
    ],
    cover,
    rim,
  );
  pen.outline(
    [
      [x - s * 0.82, y - s * 0.46],
      [x - s * 0.4, y - s * 0.5],
      [x, y - s * 0.3],
      [x, y + s * 0.54],
      [x - s * 0.42, y + s * 0.38],
      [x - s * 0.84, y + s * 0.42],
    ],
    '#f5eedd',
    rim,
  );
  pen.outline(
    [
      [x + s * 0.82, y - s * 0.46],
      [x + s * 0.4, y - s * 0.5],
      [x, y - s * 0.3],
      [x, y + s * 0.54],
      [x + s * 0.42, y + s * 0.38],
      [x + s * 0.84, y + s * 0.42],
    ],
    '#efe6d1',
    rim,
  );
  for (let line = 0; line < 4; line += 1)
    for (const side of [-1, 1])
      pen.line(
        [x + side * s * 0.14, y - s * 0.14 + line * s * 0.14],
        [x + side * s * 0.7, y - s * 0.26 + line * s * 0.14],
        { width: Math.max(0.8, s * 0.022), alpha: 0.5 },
      );
}

export function photo(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.shape(
    [
      [x - s * 0.66, y - s * 0.72],
      [x + s * 0.62, y - s * 0.78],
      [x + s * 0.68, y + s * 0.74],
      [x - s * 0.6, y + s * 0.8],
    ],
    '#f7f2e6',
    rim,
  );
  pen.shape(
    [
      [x - s * 0.52, y - s * 0.58],
      [x + s * 0.5, y - s * 0.63],
      [x + s * 0.53, y + s * 0.38],
      [x - s * 0.5, y + s * 0.43],
    ],
    '#a9b3ab',
    rim,
  );
  pen.outline(
    [
      [x - s * 0.28, y + s * 0.4],
      [x - s * 0.18, y],
      [x + s * 0.14, y - s * 0.02],
      [x + s * 0.28, y + s * 0.38],
    ],
    darker('#7a6a5c', 0.2),
    rim,
  );
  pen.ellipse(x, y - s * 0.2, s * 0.18, s * 0.22, '#d9b493', rim);
}

export function money(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.03) };
  for (const lift of [0.2, 0.1, 0])
    pen.shape(
      [
        [x - s * 0.8, y - s * (0.35 - lift)],
        [x + s * 0.76, y - s * (0.42 - lift)],
        [x + s * 0.8, y + s * (0.32 + lift)],
        [x - s * 0.76, y + s * (0.38 + lift)],
      ],
      '#9db68c',
      rim,
    );
  pen.ellipse(x, y, s * 0.24, s * 0.24, '#c6d4b4', rim);
}
