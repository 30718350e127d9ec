import { darker, lighter } from '../colour';
import type { Pen } from '../pen';

export function phone(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.04) };
  pen.outline(
    [
      [x - s * 0.4, y - s * 0.82],
      [x + s * 0.4, y - s * 0.82],
      [x + s * 0.44, y],
      [x + s * 0.4, y + s * 0.82],
      [x - s * 0.4, y + s * 0.82],
      [x - s * 0.44, y],
    ],
    '#2f333a',
    rim,
  );
  pen.rect(x - s * 0.34, y - s * 0.62, s * 0.68, s * 1.2, '#9cc3d2', rim);
  for (const dy of [-0.4, -0.1, 0.2])
    pen.rect(x - s * 0.24, y + s * dy, s * (dy === -0.1 ? 0.34 : 0.48), s * 0.16, '#eef3ee');
}

export function telephone(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.04) };
  pen.outline(
    [
      [x - s * 0.6, y + s * 0.72],
      [x - s * 0.4, y - s * 0.12],
      [x + s * 0.4, y - s * 0.12],
      [x + s * 0.6, y + s * 0.72],
    ],
    '#34373d',
    rim,
  );
  pen.ellipse(x, y + s * 0.3, s * 0.28, s * 0.28, '#d8d0bd', rim);
  pen.ellipse(x, y + s * 0.3, s * 0.11, s * 0.11, '#4a4d52', rim);
  pen.outline(
    [
      [x - s * 0.85, y - s * 0.12],
      [x - s * 0.8, y - s * 0.46],
      [x - s * 0.4, y - s * 0.54],
      [x + s * 0.4, y - s * 0.54],
      [x + s * 0.8, y - s * 0.46],
      [x + s * 0.85, y - s * 0.12],
      [x + s * 0.5, y - s * 0.1],
      [x + s * 0.36, y - s * 0.3],
      [x - s * 0.36, y - s * 0.3],
      [x - s * 0.5, y - s * 0.1],
    ],
    '#272a30',
    rim,
  );
}

export function keyIcon(pen: Pen, x: number, y: number, s: number): void {
  const brass = '#c49a48';
  pen.ellipse(x - s * 0.5, y, s * 0.32, s * 0.32, undefined, { width: Math.max(3, s * 0.16), colour: brass });
  pen.ellipse(x - s * 0.5, y, s * 0.4, s * 0.4, undefined, { width: Math.max(1, s * 0.03) });
  pen.shape(
    [
      [x - s * 0.18, y - s * 0.08],
      [x + s * 0.85, y - s * 0.08],
      [x + s * 0.85, y + s * 0.34],
      [x + s * 0.68, y + s * 0.34],
      [x + s * 0.68, y + s * 0.1],
      [x + s * 0.52, y + s * 0.1],
      [x + s * 0.52, y + s * 0.28],
      [x + s * 0.38, y + s * 0.28],
      [x + s * 0.38, y + s * 0.08],
      [x - s * 0.18, y + s * 0.08],
    ],
    brass,
    { width: Math.max(1, s * 0.03) },
  );
}

export function bagIcon(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  const leather = '#8d6440';
  pen.curve(
    [
      [x - s * 0.4, y - s * 0.3],
      [x - s * 0.34, y - s * 0.85],
      [x + s * 0.34, y - s * 0.85],
      [x + s * 0.4, y - s * 0.3],
    ],
    { width: Math.max(2, s * 0.08) },
  );
  pen.outline(
    [
      [x - s * 0.7, y - s * 0.34],
      [x + s * 0.7, y - s * 0.34],
      [x + s * 0.82, y + s * 0.72],
      [x, y + s * 0.8],
      [x - s * 0.82, y + s * 0.72],
    ],
    leather,
    rim,
  );
  pen.outline(
    [
      [x - s * 0.72, y - s * 0.34],
      [x + s * 0.72, y - s * 0.34],
      [x + s * 0.5, y + s * 0.14],
      [x, y + s * 0.24],
      [x - s * 0.5, y + s * 0.14],
    ],
    darker(leather, 0.16),
    rim,
  );
  pen.rect(x - s * 0.1, y + s * 0.1, s * 0.2, s * 0.22, '#d8b766', rim);
}

export function box(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  const card = '#b58f5f';
  pen.shape(
    [
      [x - s * 0.75, y - s * 0.3],
      [x + s * 0.2, y - s * 0.16],
      [x + s * 0.2, y + s * 0.8],
      [x - s * 0.75, y + s * 0.6],
    ],
    card,
    rim,
  );
  pen.shape(
    [
      [x + s * 0.2, y - s * 0.16],
      [x + s * 0.8, y - s * 0.42],
      [x + s * 0.8, y + s * 0.48],
      [x + s * 0.2, y + s * 0.8],
    ],
    darker(card, 0.2),
    rim,
  );
  pen.shape(
    [
      [x - s * 0.75, y - s * 0.3],
      [x - s * 0.1, y - s * 0.58],
      [x + s * 0.8, y - s * 0.42],
      [x + s * 0.2, y - s * 0.16],
    ],
    lighter(card, 0.2),
    rim,
  );
  pen.shape(
    [
      [x - s * 0.36, y - s * 0.24],
      [x + s * 0.3, y - s * 0.52],
      [x + s * 0.42, y - s * 0.49],
      [x - s * 0.22, y - s * 0.22],
    ],
    '#d9c592',
    rim,
  );
}

export function suitcase(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.curve(
    [
      [x - s * 0.22, y - s * 0.4],
      [x - s * 0.2, y - s * 0.7],
      [x + s * 0.2, y - s * 0.7],
      [x + s * 0.22, y - s * 0.4],
    ],
    { width: Math.max(2, s * 0.1) },
  );
  pen.rect(x - s * 0.85, y - s * 0.42, s * 1.7, s * 1.1, '#7d5a3f', rim);
  for (const dx of [-0.5, 0.38]) pen.rect(x + s * dx, y - s * 0.42, s * 0.12, s * 1.1, '#5a4030', rim);
  for (const dx of [-0.16, 0.1]) pen.rect(x + s * dx, y - s * 0.1, s * 0.1, s * 0.12, '#d6b660', rim);
}

export function sword(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.03) };
  pen.shape(
    [
      [x - s * 0.35, y + s * 0.28],
      [x + s * 0.8, y - s * 0.9],
      [x + s * 0.9, y - s * 0.9],
      [x + s * 0.88, y - s * 0.76],
      [x - s * 0.24, y + s * 0.4],
    ],
    '#ccd3d6',
    rim,
  );
  pen.line([x - s * 0.56, y + s * 0.12], [x - s * 0.06, y + s * 0.6], {
    width: Math.max(3, s * 0.1),
    colour: '#b08d45',
  });
  pen.line([x - s * 0.34, y + s * 0.38], [x - s * 0.78, y + s * 0.84], {
    width: Math.max(3, s * 0.12),
    colour: '#55402f',
  });
}

export function gun(pen: Pen, x: number, y: number, s: number): void {
  pen.outline(
    [
      [x - s * 0.8, y - s * 0.34],
      [x + s * 0.8, y - s * 0.34],
      [x + s * 0.8, y - s * 0.08],
      [x + s * 0.05, y - s * 0.02],
      [x - s * 0.06, y + s * 0.2],
      [x - s * 0.3, y + s * 0.16],
      [x - s * 0.42, y + s * 0.72],
      [x - s * 0.8, y + s * 0.66],
      [x - s * 0.62, y],
      [x - s * 0.84, y - s * 0.1],
    ],
    '#43474d',
    { width: Math.max(1, s * 0.035) },
  );
  pen.line([x - s * 0.5, y - s * 0.2], [x + s * 0.7, y - s * 0.2], { width: Math.max(1, s * 0.03), colour: '#8d949a' });
}

export function knife(pen: Pen, x: number, y: number, s: number): void {
  pen.outline(
    [
      [x - s * 0.1, y - s * 0.1],
      [x + s * 0.85, y - s * 0.2],
      [x + s * 0.6, y + s * 0.1],
      [x - s * 0.1, y + s * 0.14],
    ],
    '#cfd6d8',
    { width: Math.max(1, s * 0.03) },
  );
  pen.line([x - s * 0.12, y + s * 0.02], [x - s * 0.8, y + s * 0.1], {
    width: Math.max(4, s * 0.2),
    colour: '#6a4d38',
  });
}

export function camera(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.rect(x - s * 0.3, y - s * 0.66, s * 0.5, s * 0.24, '#3d4045', rim);
  pen.rect(x - s * 0.85, y - s * 0.44, s * 1.7, s * 1.05, '#4a4d52', rim);
  pen.ellipse(x, y + s * 0.08, s * 0.42, s * 0.42, '#8d9498', rim);
  pen.ellipse(x, y + s * 0.08, s * 0.27, s * 0.27, '#27384a', rim);
  pen.ellipse(x - s * 0.08, y, s * 0.08, s * 0.08, '#dfeaf0');
}
