import { setImmediate as nextTurn } from 'node:timers/promises';
import sharp from 'sharp';
import { hashOf } from '../../../hash';
import type { ImageRequest } from '../../port';
import { drawBackground } from './background';
import { newSheet } from './canvas';
import { readCard } from './card';
import { drawFloorPlan } from './floor-plan';
import { prepareFonts } from '../../../images/fonts';
import { drawShot } from './shot';

/** What of a request shapes the picture. */
export type Commission = Pick<ImageRequest, 'task' | 'card' | 'prompt' | 'style' | 'width' | 'height'>;

/**
 * Draws a storyboard panel, a background or a floor plan, as PNG (spec 00). The same task, card, style and size give the
 * same bytes on the same machine; the prompt counts only where the card says nothing. Throws only where the size cannot
 * be allocated or the fonts cannot be read. Compressing, the longest part, is off this thread (and by sharp, at an eighth
 * of the canvas's own time).
 */
export async function drawPicture(commission: Commission): Promise<Uint8Array> {
  await prepareFonts();
  const { width, height } = commission;
  const turn = board.then(() => paint(commission));
  board = turn.catch(() => undefined);
  const pixels = await turn;
  return sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** One picture is on the board at a time: four at once would add up to tasks of this thread that are four times as long. */
let board: Promise<unknown> = Promise.resolve();

async function paint(commission: Commission): Promise<Buffer> {
  const { task, style, width, height } = commission;
  const card = readCard(commission.card, commission.prompt);
  const sheet = newSheet(width, height, style, hashOf({ task, card, style, width, height }));
  if (task === 'floor_plan') drawFloorPlan(sheet, card);
  else if (task === 'background') drawBackground(sheet, card);
  else await drawShot(sheet, card);
  // Pixels are made by the next line: another turn, so that no task of this thread is a long one.
  await nextTurn();
  // A copy: the canvas's own memory goes with the canvas, and the compressor is still reading by then.
  return Buffer.from(sheet.canvas.data());
}
