import { darker } from '../colour';
import type { Pen } from '../pen';

export function pen(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.03) };
  ink.shape(
    [
      [x - s * 0.9, y + s * 0.3],
      [x + s * 0.5, y - s * 0.3],
      [x + s * 0.58, y - s * 0.12],
      [x - s * 0.84, y + s * 0.46],
    ],
    '#2f4660',
    rim,
  );
  ink.shape(
    [
      [x + s * 0.5, y - s * 0.3],
      [x + s * 0.95, y - s * 0.38],
      [x + s * 0.58, y - s * 0.12],
    ],
    '#d0ab53',
    rim,
  );
  ink.line([x - s * 0.2, y], [x - s * 0.66, y + s * 0.2], { width: Math.max(1.2, s * 0.05), colour: '#d0ab53' });
}

export function bell(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  ink.ellipse(x, y - s * 0.8, s * 0.12, s * 0.12, undefined, { width: Math.max(2, s * 0.07) });
  ink.ellipse(x, y + s * 0.66, s * 0.13, s * 0.13, '#6b5230', rim);
  ink.outline(
    [
      [x, y - s * 0.72],
      [x + s * 0.36, y - s * 0.5],
      [x + s * 0.46, y + s * 0.2],
      [x + s * 0.74, y + s * 0.56],
      [x, y + s * 0.64],
      [x - s * 0.74, y + s * 0.56],
      [x - s * 0.46, y + s * 0.2],
      [x - s * 0.36, y - s * 0.5],
    ],
    '#c79a45',
    rim,
  );
  ink.curve(
    [
      [x - s * 0.3, y - s * 0.3],
      [x - s * 0.36, y + s * 0.1],
      [x - s * 0.42, y + s * 0.3],
    ],
    { width: Math.max(1.2, s * 0.05), colour: '#f3dda4' },
  );
}

export function candle(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  ink.ellipse(x, y + s * 0.74, s * 0.56, s * 0.14, '#9a7a48', rim);
  ink.rect(x - s * 0.17, y - s * 0.2, s * 0.34, s * 0.92, '#f3ead2', rim);
  ink.line([x, y - s * 0.2], [x, y - s * 0.34], { width: Math.max(1, s * 0.03) });
  ink.outline(
    [
      [x, y - s * 0.86],
      [x + s * 0.16, y - s * 0.5],
      [x, y - s * 0.3],
      [x - s * 0.16, y - s * 0.5],
    ],
    '#f3b74d',
    rim,
  );
}

export function rope(ink: Pen, x: number, y: number, s: number): void {
  for (const ring of [0.78, 0.56, 0.34]) {
    ink.ellipse(x, y + s * 0.3, s * ring, s * ring * 0.5, undefined, {
      width: Math.max(3, s * 0.15),
      colour: '#b39460',
    });
    ink.ellipse(x, y + s * 0.3, s * (ring + 0.08), s * (ring + 0.08) * 0.5, undefined, {
      width: Math.max(0.9, s * 0.025),
      alpha: 0.7,
    });
  }
  ink.curve(
    [
      [x + s * 0.6, y + s * 0.1],
      [x + s * 0.8, y - s * 0.3],
      [x + s * 0.5, y - s * 0.6],
    ],
    { width: Math.max(3, s * 0.12), colour: '#b39460' },
  );
}

export function radio(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  ink.line([x + s * 0.5, y - s * 0.4], [x + s * 0.8, y - s * 0.95], { width: Math.max(1.4, s * 0.04) });
  ink.rect(x - s * 0.85, y - s * 0.4, s * 1.7, s * 1.1, '#8a5f43', rim);
  ink.ellipse(x - s * 0.35, y + s * 0.14, s * 0.36, s * 0.36, darker('#8a5f43', 0.4), rim);
  ink.rect(x + s * 0.14, y - s * 0.24, s * 0.56, s * 0.26, '#efe2bd', rim);
  for (const dx of [0.26, 0.58]) ink.ellipse(x + s * dx, y + s * 0.36, s * 0.12, s * 0.12, '#d9c79d', rim);
}

export function cake(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  ink.ellipse(x, y + s * 0.68, s * 0.9, s * 0.2, '#e8e2d2', rim);
  ink.rect(x - s * 0.62, y - s * 0.02, s * 1.24, s * 0.66, '#d9a98a', rim);
  ink.outline(
    [
      [x - s * 0.66, y - s * 0.02],
      [x, y - s * 0.24],
      [x + s * 0.66, y - s * 0.02],
      [x + s * 0.5, y + s * 0.2],
      [x + s * 0.2, y + s * 0.12],
      [x - s * 0.1, y + s * 0.24],
      [x - s * 0.4, y + s * 0.12],
    ],
    '#f6efe4',
    rim,
  );
  for (const dx of [-0.3, 0, 0.3])
    ink.line([x + s * dx, y - s * 0.14], [x + s * dx, y - s * 0.5], {
      width: Math.max(2, s * 0.06),
      colour: '#b5524c',
    });
}

export function mirror(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1.2, s * 0.04) };
  ink.rect(x - s * 0.1, y + s * 0.5, s * 0.2, s * 0.4, '#8a6844', rim);
  ink.ellipse(x, y - s * 0.12, s * 0.66, s * 0.78, '#a47c4c', rim);
  ink.ellipse(x, y - s * 0.12, s * 0.54, s * 0.66, '#c8d8da', rim);
  for (const dx of [-0.2, 0.06])
    ink.line([x + s * dx, y + s * 0.24], [x + s * (dx + 0.3), y - s * 0.46], {
      width: Math.max(1.4, s * 0.05),
      colour: '#f2f7f5',
    });
}

export function bowl(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  ink.outline(
    [
      [x - s * 0.8, y],
      [x - s * 0.56, y + s * 0.56],
      [x - s * 0.24, y + s * 0.74],
      [x + s * 0.24, y + s * 0.74],
      [x + s * 0.56, y + s * 0.56],
      [x + s * 0.8, y],
    ],
    '#e9e2d2',
    rim,
  );
  ink.ellipse(x, y, s * 0.8, s * 0.2, '#b97a45', rim);
  for (const dx of [-0.24, 0.02, 0.28])
    ink.curve(
      [
        [x + s * dx, y - s * 0.2],
        [x + s * (dx + 0.1), y - s * 0.42],
        [x + s * (dx - 0.04), y - s * 0.6],
        [x + s * (dx + 0.06), y - s * 0.82],
      ],
      { width: Math.max(1, s * 0.03), alpha: 0.5 },
    );
}

export function bicycle(ink: Pen, x: number, y: number, s: number): void {
  for (const dx of [-0.55, 0.55]) {
    ink.ellipse(x + s * dx, y + s * 0.4, s * 0.4, s * 0.4, undefined, { width: Math.max(1.6, s * 0.06) });
    ink.ellipse(x + s * dx, y + s * 0.4, s * 0.06, s * 0.06, '#4a4a50');
  }
  const frame = { width: Math.max(2, s * 0.07), colour: '#a4503f' };
  for (const [from, to] of [
    [
      [-0.55, 0.4],
      [-0.2, -0.2],
    ],
    [
      [-0.2, -0.2],
      [0.36, -0.2],
    ],
    [
      [0.36, -0.2],
      [0.02, 0.42],
    ],
    [
      [-0.55, 0.4],
      [0.02, 0.42],
    ],
    [
      [-0.26, -0.34],
      [0.02, 0.42],
    ],
    [
      [0.3, -0.46],
      [0.55, 0.4],
    ],
  ] as const)
    ink.line([x + s * from[0], y + s * from[1]], [x + s * to[0], y + s * to[1]], frame);
  ink.line([x + s * 0.16, y - s * 0.5], [x + s * 0.46, y - s * 0.5], { width: Math.max(2, s * 0.06) });
  ink.ellipse(x - s * 0.28, y - s * 0.38, s * 0.16, s * 0.06, '#3d3a38');
}

export function mailboxIcon(ink: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  ink.rect(x - s * 0.08, y + s * 0.4, s * 0.16, s * 0.5, '#5c4c40', rim);
  ink.outline(
    [
      [x - s * 0.52, y + s * 0.5],
      [x - s * 0.52, y - s * 0.4],
      [x, y - s * 0.86],
      [x + s * 0.52, y - s * 0.4],
      [x + s * 0.52, y + s * 0.5],
    ],
    '#b8433a',
    rim,
  );
  ink.rect(x - s * 0.34, y - s * 0.24, s * 0.68, s * 0.1, '#3a1f1d', rim);
  ink.rect(x - s * 0.26, y, s * 0.52, s * 0.34, '#efe3c8', rim);
}
