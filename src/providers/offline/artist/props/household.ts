import { darker, lighter } from '../colour';
import type { Pen } from '../pen';

/** Things of a house. Each is drawn in a box of 2 × 2 `s` around (x, y). */
export function kettle(pen: Pen, x: number, y: number, s: number): void {
  const copper = '#b9713f';
  const rim = { width: Math.max(1, s * 0.035) };
  pen.curve(
    [
      [x - s * 0.42, y - s * 0.28],
      [x - s * 0.3, y - s * 0.95],
      [x + s * 0.3, y - s * 0.95],
      [x + s * 0.42, y - s * 0.28],
    ],
    { width: Math.max(2, s * 0.09) },
  );
  pen.outline(
    [
      [x + s * 0.45, y + s * 0.2],
      [x + s * 0.72, y - s * 0.05],
      [x + s * 0.86, y - s * 0.4],
      [x + s * 0.98, y - s * 0.36],
      [x + s * 0.85, y + s * 0.1],
      [x + s * 0.55, y + s * 0.5],
    ],
    darker(copper, 0.1),
    rim,
  );
  pen.outline(
    [
      [x - s * 0.55, y + s * 0.75],
      [x - s * 0.68, y + s * 0.3],
      [x - s * 0.5, y - s * 0.2],
      [x, y - s * 0.36],
      [x + s * 0.5, y - s * 0.2],
      [x + s * 0.68, y + s * 0.3],
      [x + s * 0.55, y + s * 0.75],
      [x, y + s * 0.82],
    ],
    copper,
    rim,
  );
  pen.outline(
    [
      [x - s * 0.34, y - s * 0.28],
      [x, y - s * 0.44],
      [x + s * 0.34, y - s * 0.28],
      [x, y - s * 0.22],
    ],
    lighter(copper, 0.15),
    rim,
  );
  pen.ellipse(x, y - s * 0.48, s * 0.08, s * 0.08, '#4b3a30', rim);
  pen.curve(
    [
      [x - s * 0.44, y + s * 0.4],
      [x - s * 0.48, y + s * 0.15],
      [x - s * 0.36, y - s * 0.08],
    ],
    { width: Math.max(1.4, s * 0.05), colour: '#f4d9b4' },
  );
  pen.curve(
    [
      [x + s * 0.1, y + s * 0.35],
      [x + s * 0.22, y + s * 0.45],
      [x + s * 0.34, y + s * 0.4],
    ],
    { width: Math.max(1, s * 0.03), alpha: 0.5 },
  );
}

export function cup(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.ellipse(x, y + s * 0.66, s * 0.8, s * 0.16, '#e6dfcd', rim);
  pen.curve(
    [
      [x + s * 0.4, y - s * 0.1],
      [x + s * 0.85, y - s * 0.05],
      [x + s * 0.74, y + s * 0.36],
      [x + s * 0.34, y + s * 0.38],
    ],
    { width: Math.max(2, s * 0.1) },
  );
  pen.outline(
    [
      [x - s * 0.5, y - s * 0.3],
      [x - s * 0.42, y + s * 0.4],
      [x - s * 0.2, y + s * 0.66],
      [x + s * 0.2, y + s * 0.66],
      [x + s * 0.42, y + s * 0.4],
      [x + s * 0.5, y - s * 0.3],
    ],
    '#f2ece0',
    rim,
  );
  pen.ellipse(x, y - s * 0.3, s * 0.48, s * 0.13, '#7a5238', rim);
  for (const dx of [-0.18, 0.1])
    pen.curve(
      [
        [x + s * dx, y - s * 0.45],
        [x + s * (dx + 0.12), y - s * 0.62],
        [x + s * (dx - 0.04), y - s * 0.78],
        [x + s * (dx + 0.08), y - s * 0.95],
      ],
      { width: Math.max(1, s * 0.03), alpha: 0.5 },
    );
}

export function lamp(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.ellipse(x, y + s * 0.78, s * 0.42, s * 0.13, '#6d5b4a', rim);
  pen.rect(x - s * 0.06, y - s * 0.1, s * 0.12, s * 0.86, '#8a745c', rim);
  pen.shape(
    [
      [x - s * 0.62, y],
      [x + s * 0.62, y],
      [x + s * 0.34, y - s * 0.85],
      [x - s * 0.34, y - s * 0.85],
    ],
    '#f0cf86',
    rim,
  );
}

export function clock(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1.2, s * 0.06) };
  pen.ellipse(x, y, s * 0.78, s * 0.78, '#efe7d3', rim);
  for (let hour = 0; hour < 12; hour += 1) {
    const angle = (hour / 6) * Math.PI;
    pen.line(
      [x + Math.cos(angle) * s * 0.6, y + Math.sin(angle) * s * 0.6],
      [x + Math.cos(angle) * s * 0.7, y + Math.sin(angle) * s * 0.7],
      { width: Math.max(1, s * 0.035) },
    );
  }
  pen.line([x, y], [x + s * 0.1, y - s * 0.55], { width: Math.max(1.2, s * 0.05) });
  pen.line([x, y], [x - s * 0.36, y + s * 0.12], { width: Math.max(1.5, s * 0.07) });
}

export function umbrella(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.curve(
    [
      [x, y - s * 0.5],
      [x, y + s * 0.7],
      [x + s * 0.12, y + s * 0.86],
      [x + s * 0.26, y + s * 0.72],
    ],
    { width: Math.max(2, s * 0.07) },
  );
  pen.outline(
    [
      [x - s * 0.95, y],
      [x - s * 0.7, y - s * 0.6],
      [x, y - s * 0.92],
      [x + s * 0.7, y - s * 0.6],
      [x + s * 0.95, y],
      [x + s * 0.48, y - s * 0.12],
      [x, y + s * 0.02],
      [x - s * 0.48, y - s * 0.12],
    ],
    '#8c4450',
    rim,
  );
  for (const dx of [-0.45, 0.45])
    pen.curve(
      [
        [x, y - s * 0.9],
        [x + s * dx * 0.8, y - s * 0.5],
        [x + s * dx, y - s * 0.12],
      ],
      { width: Math.max(0.9, s * 0.025), alpha: 0.6 },
    );
}

export function bottle(pen: Pen, x: number, y: number, s: number): void {
  const rim = { width: Math.max(1, s * 0.035) };
  pen.outline(
    [
      [x - s * 0.1, y - s * 0.9],
      [x - s * 0.1, y - s * 0.4],
      [x - s * 0.3, y - s * 0.15],
      [x - s * 0.3, y + s * 0.82],
      [x + s * 0.3, y + s * 0.82],
      [x + s * 0.3, y - s * 0.15],
      [x + s * 0.1, y - s * 0.4],
      [x + s * 0.1, y - s * 0.9],
    ],
    '#5f7f62',
    rim,
  );
  pen.rect(x - s * 0.27, y + s * 0.05, s * 0.54, s * 0.45, '#efe4c8', rim);
}

export function flower(pen: Pen, x: number, y: number, s: number): void {
  for (const [dx, dy] of [
    [-0.4, -0.35],
    [0, -0.6],
    [0.4, -0.3],
  ] as const) {
    pen.curve(
      [
        [x, y + s * 0.8],
        [x + s * dx * 0.4, y + s * 0.2],
        [x + s * dx, y + s * dy],
      ],
      { width: Math.max(1.4, s * 0.05), colour: '#5f7f4f' },
    );
    for (let petal = 0; petal < 5; petal += 1) {
      const angle = (petal / 5) * Math.PI * 2;
      pen.ellipse(
        x + s * dx + Math.cos(angle) * s * 0.15,
        y + s * dy + Math.sin(angle) * s * 0.15,
        s * 0.12,
        s * 0.12,
        '#c9656a',
        { width: Math.max(0.8, s * 0.02) },
      );
    }
    pen.ellipse(x + s * dx, y + s * dy, s * 0.09, s * 0.09, '#e5bf5a');
  }
}
