import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { Pen } from './pen';
import { randomFrom } from './random';
import { styleOf } from './style';

const REFERENCE_AREA = 1024 * 576;

/** A canvas of width × height pixels that is drawn on in units: lines look alike whatever the size in pixels. */
export interface Sheet {
  readonly canvas: Canvas;
  readonly pen: Pen;
  /** In units. */
  readonly w: number;
  readonly h: number;
}

export function newSheet(width: number, height: number, style: string, seed: string): Sheet {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  // Text must not follow the language of the host.
  ctx.lang = 'ko';
  const scale = Math.sqrt((width * height) / REFERENCE_AREA);
  ctx.scale(scale, scale);
  const pen = new Pen(ctx, randomFrom(seed), styleOf(style));
  ctx.fillStyle = pen.style.paper;
  ctx.fillRect(0, 0, width / scale, height / scale);
  return { canvas, pen, w: width / scale, h: height / scale };
}
