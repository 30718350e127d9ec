import type { SKRSContext2D } from '@napi-rs/canvas';
import { darker, lighter, withAlpha } from './colour';
import type { Random } from './random';
import { tone, type Style } from './style';

export type Point = readonly [number, number];

export interface Stroke {
  /** In units of the picture. */
  readonly width?: number;
  readonly colour?: string;
  readonly alpha?: number;
}

/** Draws as a hand does: lines tremble a little, fills are a wash that is never quite even. Colours are toned by the style. */
export class Pen {
  private readonly toned = new Map<string, string>();

  constructor(
    readonly ctx: SKRSContext2D,
    readonly random: Random,
    readonly style: Style,
  ) {
    ctx.lineCap = 'round';
    ctx.lineJoin = 'round';
  }

  /** The colour as the style paints it, for the canvas. */
  colour(hex: string, alpha = 1): string {
    let result = this.toned.get(hex);
    if (result === undefined) {
      result = tone(hex, this.style);
      this.toned.set(hex, result);
    }
    return alpha >= 1 ? result : withAlpha(result, alpha);
  }

  line(from: Point, to: Point, stroke: Stroke = {}): void {
    this.ctx.beginPath();
    this.ctx.moveTo(from[0], from[1]);
    this.edge(from, to);
    this.ink(stroke);
  }

  /** Straight edges through the points; closed where it is filled. */
  shape(points: readonly Point[], fill: string | undefined, stroke: Stroke | false = {}): void {
    const first = points[0];
    if (!first) return;
    this.ctx.beginPath();
    this.ctx.moveTo(first[0], first[1]);
    points.forEach((point, index) => this.edge(point, points[(index + 1) % points.length] ?? first));
    this.ctx.closePath();
    if (fill !== undefined) this.wash(fill, points);
    if (stroke) this.ink(stroke);
  }

  rect(x: number, y: number, width: number, height: number, fill?: string, stroke: Stroke | false = {}): void {
    this.shape(
      [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ],
      fill,
      stroke,
    );
  }

  /** A smooth closed outline through the points. */
  blob(points: readonly Point[], fill: string | undefined, stroke: Stroke | false = {}): void {
    const at = (index: number): Point => points[(index + points.length) % points.length] ?? [0, 0];
    const middle = (index: number): Point => [
      (at(index)[0] + at(index + 1)[0]) / 2,
      (at(index)[1] + at(index + 1)[1]) / 2,
    ];
    this.ctx.beginPath();
    const start = middle(-1);
    this.ctx.moveTo(start[0], start[1]);
    points.forEach((point, index) => {
      const end = middle(index);
      this.ctx.quadraticCurveTo(point[0], point[1], end[0], end[1]);
    });
    this.ctx.closePath();
    if (fill !== undefined) this.wash(fill, points);
    if (stroke) this.ink(stroke);
  }

  /** A smooth closed outline that passes through every point. */
  outline(points: readonly Point[], fill: string | undefined, stroke: Stroke | false = {}): void {
    const at = (index: number): Point => points[(index + points.length) % points.length] ?? [0, 0];
    this.ctx.beginPath();
    this.ctx.moveTo(at(0)[0], at(0)[1]);
    points.forEach((_, index) => {
      const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
      const [x1, y1] = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
      const [x2, y2] = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
      this.ctx.bezierCurveTo(x1, y1, x2, y2, to[0], to[1]);
    });
    this.ctx.closePath();
    if (fill !== undefined) this.wash(fill, points);
    if (stroke) this.ink(stroke);
  }

  /** A limb: a bent band of even width with an inked rim. */
  limb(points: readonly Point[], width: number, fill: string, rim: number): void {
    this.curve(points, { width: (width + rim * 2) / this.style.lineWeight, colour: this.style.ink });
    this.curve(points, { width: width / this.style.lineWeight, colour: fill });
  }

  /** A smooth open line through the points. */
  curve(points: readonly Point[], stroke: Stroke = {}): void {
    const first = points[0];
    const last = points.at(-1);
    if (!first || !last) return;
    this.ctx.beginPath();
    this.ctx.moveTo(first[0], first[1]);
    for (let index = 1; index < points.length - 1; index += 1) {
      const point = points[index] ?? first;
      const next = points[index + 1] ?? last;
      const end: Point = index === points.length - 2 ? next : [(point[0] + next[0]) / 2, (point[1] + next[1]) / 2];
      this.ctx.quadraticCurveTo(point[0], point[1], end[0], end[1]);
    }
    if (points.length === 2) this.ctx.lineTo(last[0], last[1]);
    this.ink(stroke);
  }

  ellipse(x: number, y: number, radiusX: number, radiusY: number, fill?: string, stroke: Stroke | false = {}): void {
    const corners = 10;
    const tremble = Math.min(1.4, radiusX * 0.04);
    const points = Array.from({ length: corners }, (_, index): Point => {
      const angle = (index / corners) * Math.PI * 2;
      // The outline runs inside its corners, so they stand a little outside the ellipse.
      return [
        x + Math.cos(angle) * (radiusX * 1.05 + this.tremble(tremble)),
        y + Math.sin(angle) * (radiusY * 1.05 + this.tremble(tremble)),
      ];
    });
    this.blob(points, fill, stroke);
  }

  /** Parallel strokes across a box: shade without a wash. */
  hatch(x: number, y: number, width: number, height: number, gap: number, stroke: Stroke = {}): void {
    if (this.style.hatching < 0.05) return;
    const { ctx } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, width, height);
    ctx.clip();
    ctx.beginPath();
    for (let offset = -height; offset < width; offset += gap * this.random.between(0.8, 1.3)) {
      ctx.moveTo(x + offset, y + height);
      ctx.lineTo(x + offset + height * this.random.between(0.9, 1), y + this.tremble(3));
    }
    this.ink({ width: 0.8, alpha: 0.35 * this.style.hatching, ...stroke });
    ctx.restore();
  }

  /** Strokes the current path. */
  ink(stroke: Stroke = {}): void {
    this.ctx.lineWidth = (stroke.width ?? 1.8) * this.style.lineWeight;
    this.ctx.strokeStyle =
      stroke.colour === undefined
        ? withAlpha(this.style.ink, stroke.alpha ?? 0.9)
        : this.colour(stroke.colour, stroke.alpha ?? 1);
    this.ctx.stroke();
  }

  private wash(fill: string, points: readonly Point[]): void {
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const gradient = this.ctx.createLinearGradient(
      Math.min(...xs),
      Math.min(...ys),
      Math.max(...xs) * 0.6 + Math.min(...xs) * 0.4,
      Math.max(...ys),
    );
    const uneven = 0.05 + this.style.stain * 0.06;
    gradient.addColorStop(0, this.colour(lighter(fill, uneven)));
    gradient.addColorStop(1, this.colour(darker(fill, uneven)));
    this.ctx.fillStyle = gradient;
    this.ctx.fill();
  }

  private edge(from: Point, to: Point): void {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const parts = Math.max(1, Math.min(6, Math.round(length / 90)));
    const tremble = Math.min(1.3, length * 0.012);
    let last = from;
    for (let part = 1; part <= parts; part += 1) {
      const share = part / parts;
      const end: Point =
        part === parts ? to : [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
      this.ctx.quadraticCurveTo(
        (last[0] + end[0]) / 2 + this.tremble(tremble),
        (last[1] + end[1]) / 2 + this.tremble(tremble),
        end[0],
        end[1],
      );
      last = end;
    }
  }

  private tremble(amount: number): number {
    return (this.random.next() - 0.5) * 2 * amount;
  }
}
