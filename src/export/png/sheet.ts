import { createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import sharp from 'sharp';
import { prepareFonts } from '../../images/fonts';
import { drawable, ellipsis, font, wrap } from '../../images/lettering';
import type { ContactSheetInput } from '../input';
import { countShots, numberedShots, pixels, type NumberedShot } from '../pictures';
import { dollars, wordsFor, type Words } from '../words';
import { layoutFor, type SheetLayout } from './layout';

const PAPER = '#f6f1e5';
const INK = '#28262d';
const SOFT = '#6b655f';
const ACCENT = '#9a3f35';

/** All shots on one picture: a header, then number, size, words and id below each frame. The same input gives the same bytes. */
export async function renderSheetPng(input: ContactSheetInput): Promise<Uint8Array> {
  await prepareFonts();
  // A shot that is off and was never drawn has nothing to show here; the page lists it.
  const shots = numberedShots(input).filter(({ shot }) => shot.on || shot.image !== null);
  const layout = layoutFor(shots.length);
  const words = wordsFor(input);
  const canvas = createCanvas(layout.width, layout.height);
  const ctx = canvas.getContext('2d');
  ctx.lang = 'ko';
  ctx.fillStyle = PAPER;
  ctx.fillRect(0, 0, layout.width, layout.height);
  header(ctx, input, layout, words);
  for (const [index, shot] of shots.entries()) {
    const x = layout.margin + (index % layout.columns) * (layout.cell.width + layout.gap);
    const y = layout.header + Math.floor(index / layout.columns) * (layout.cell.height + layout.gap);
    await frame(ctx, shot, layout, words, x, y);
    lines(ctx, shot, layout, words, x, y + layout.picture.height);
  }
  // A copy: the canvas's own memory goes with the canvas, and the compressor is still reading by then.
  return sharp(Buffer.from(canvas.data()), {
    raw: { width: layout.width, height: layout.height, channels: 4 },
    limitInputPixels: false,
  })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
}

function header(ctx: SKRSContext2D, input: ContactSheetInput, { margin, width }: SheetLayout, words: Words): void {
  const { shots, drawn, off } = countShots(input);
  const room = width - margin * 2;
  ctx.fillStyle = INK;
  ctx.font = font(38, 700);
  ctx.fillText(ellipsis(ctx, drawable(input.title), room), margin, 60);
  ctx.fillStyle = SOFT;
  ctx.font = font(19);
  const facts = [
    `${input.projectId} / ${input.episodeId}`,
    words.shots(shots, drawn, off),
    `${words.cost} ${dollars(input.costUsd)}`,
  ]
    .map(drawable)
    .join('   ·   ');
  ctx.fillText(ellipsis(ctx, facts, room), margin, 94);
  ctx.fillStyle = INK;
  ctx.fillRect(margin, 110, room, 2);
}

async function frame(
  ctx: SKRSContext2D,
  { shot }: NumberedShot,
  { picture }: SheetLayout,
  words: Words,
  x: number,
  y: number,
): Promise<void> {
  ctx.fillStyle = '#e6decd';
  ctx.fillRect(x, y, picture.width, picture.height);
  const image = shot.image === null ? undefined : await pixels(shot.image, picture);
  if (image) {
    const data = new ImageData(
      new Uint8ClampedArray(image.data.buffer, image.data.byteOffset, image.data.length),
      image.width,
      image.height,
    );
    ctx.putImageData(
      data,
      x + Math.floor((picture.width - image.width) / 2),
      y + Math.floor((picture.height - image.height) / 2),
    );
  } else {
    ctx.fillStyle = SOFT;
    ctx.font = font(18, 700);
    centred(ctx, words.noImage, x, y + picture.height / 2 - 8, picture.width);
    ctx.font = font(14);
    const why = shot.image === null ? (shot.missingReason ?? '') : words.unreadable;
    wrap(ctx, drawable(why), picture.width - 32, 2).forEach((line, index) =>
      centred(ctx, line, x, y + picture.height / 2 + 16 + index * 19, picture.width),
    );
  }
  if (!shot.on) {
    ctx.fillStyle = 'rgba(246,241,229,0.6)';
    ctx.fillRect(x, y, picture.width, picture.height);
  }
  ctx.strokeStyle = INK;
  ctx.lineWidth = 1.5;
  ctx.strokeRect(x, y, picture.width, picture.height);
}

function centred(ctx: SKRSContext2D, text: string, x: number, y: number, width: number): void {
  const shown = ellipsis(ctx, drawable(text), width - 16);
  ctx.fillText(shown, x + (width - ctx.measureText(shown).width) / 2, y);
}

function lines(
  ctx: SKRSContext2D,
  { number, shot }: NumberedShot,
  { cell }: SheetLayout,
  words: Words,
  x: number,
  y: number,
): void {
  ctx.fillStyle = INK;
  ctx.font = font(16, 700);
  ctx.fillText(number, x, y + 22);
  const indent = ctx.measureText(number).width + 10;
  ctx.font = font(14);
  ctx.fillStyle = SOFT;
  const facts = [shot.size, shot.camera, shot.on ? '' : words.off, shot.editedBy || shot.editReason ? words.edited : '']
    .map(drawable)
    .filter((part) => part !== '');
  ctx.fillText(ellipsis(ctx, facts.join(' · '), cell.width - indent), x + indent, y + 22);
  const spoken = drawable(shot.caption);
  const speaker = spoken === '' ? '' : drawable(shot.speaker);
  ctx.font = font(15);
  const text = [speaker === '' ? '' : `${speaker}:`, spoken === '' ? drawable(shot.action) : spoken]
    .filter((part) => part !== '')
    .join(' ');
  ctx.fillStyle = spoken === '' ? SOFT : INK;
  wrap(ctx, text, cell.width, 2).forEach((line, index) => ctx.fillText(line, x, y + 44 + index * 20));
  ctx.font = font(12);
  ctx.fillStyle = ACCENT;
  ctx.fillText(ellipsis(ctx, drawable(shot.shotId), cell.width), x, y + 88);
}
