import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { Pen } from './pen';
import { randomFrom } from './random';

const TILE_PX = 256;
let grainTile: Canvas | undefined;

/** A tile of paper with its fibres, the same in every picture. Fibres, not noise: noise would triple the size of every PNG. */
function grain(): Canvas {
  if (grainTile) return grainTile;
  const tile = createCanvas(TILE_PX, TILE_PX);
  const ctx = tile.getContext('2d');
  const random = randomFrom('paper grain');
  for (let fibre = 0; fibre < 170; fibre += 1) {
    const x = random.between(0, TILE_PX);
    const y = random.between(0, TILE_PX);
    const length = random.between(1, 9);
    const angle = random.between(0, Math.PI);
    ctx.strokeStyle = random.chance(0.5) ? 'rgba(70,60,52,0.09)' : 'rgba(255,252,244,0.14)';
    ctx.lineWidth = random.between(0.6, 1.3);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + Math.cos(angle) * length, y + Math.sin(angle) * length);
    ctx.stroke();
  }
  grainTile = tile;
  return tile;
}

/** Grain, stains of wash and a slight darkening to the corners: over the finished drawing. */
export function agePaper(pen: Pen, w: number, h: number): void {
  const { ctx, random, style } = pen;
  for (let stain = 0; stain < 7; stain += 1) {
    const x = random.between(0, w);
    const y = random.between(0, h);
    const radius = random.between(80, 240);
    const gradient = ctx.createRadialGradient(x, y, radius * 0.3, x, y, radius);
    const dark = random.chance(0.5);
    const strength = 0.06 * style.stain;
    gradient.addColorStop(0, dark ? `rgba(90,78,70,${strength * 0.7})` : `rgba(255,252,240,${strength})`);
    gradient.addColorStop(0.85, dark ? `rgba(90,78,70,${strength * 0.7})` : `rgba(255,252,240,${strength * 0.5})`);
    gradient.addColorStop(1, 'rgba(128,120,110,0)');
    ctx.fillStyle = gradient;
    ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  }
  const vignette = ctx.createRadialGradient(
    w / 2,
    h * 0.48,
    Math.min(w, h) * 0.45,
    w / 2,
    h / 2,
    Math.hypot(w, h) * 0.58,
  );
  vignette.addColorStop(0, 'rgba(30,24,32,0)');
  vignette.addColorStop(1, 'rgba(30,24,32,0.2)');
  ctx.fillStyle = vignette;
  ctx.fillRect(0, 0, w, h);
  const pattern = ctx.createPattern(grain(), 'repeat');
  if (!pattern) return;
  ctx.fillStyle = pattern;
  ctx.fillRect(0, 0, w, h);
}

/** Dots of a printed comic in the shaded corner. */
export function halftone(pen: Pen, w: number, h: number): void {
  const { ctx } = pen;
  ctx.fillStyle = pen.colour('#2a2a3a', 0.2);
  ctx.beginPath();
  const gap = 9;
  for (let row = 0; row * gap < h; row += 1)
    for (let column = 0; column * gap < w; column += 1) {
      const x = column * gap + (row % 2) * (gap / 2);
      const y = row * gap;
      const radius = 3.4 * (x / w + y / h - 1.1);
      if (radius <= 0.4) continue;
      ctx.moveTo(x + radius, y);
      ctx.arc(x, y, radius, 0, Math.PI * 2);
    }
  ctx.fill();
}
