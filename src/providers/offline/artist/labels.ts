import type { Card } from './card';
import { drawable, ellipsis, font, wrap } from '../../../images/lettering';
import type { Pen } from './pen';

/** Height of the bar below the picture for this text, in units; 0 where there is none. */
export function captionHeight(lines: number): number {
  return lines === 0 ? 0 : 26 + lines * 27;
}

const TEXT_SIZE = 20;

/** The caption's words broken into lines: the line that is spoken, else what happens. */
export interface Caption {
  readonly speaker: string;
  readonly lines: readonly string[];
  readonly spoken: boolean;
}

export function captionOf(pen: Pen, card: Card, w: number): Caption {
  const caption = drawable(card.caption);
  const spoken = caption !== '';
  const speaker = spoken ? drawable(card.speaker).slice(0, 60) : '';
  pen.ctx.font = font(TEXT_SIZE);
  const text = spoken ? caption : drawable(card.action || card.description || card.subject);
  const indent = speaker === '' ? 0 : speakerWidth(pen, speaker, w) + 18;
  pen.ctx.font = font(TEXT_SIZE);
  return { speaker, spoken, lines: wrap(pen.ctx, text, Math.max(40, w - 48 - indent), 3) };
}

function speakerWidth(pen: Pen, speaker: string, w: number): number {
  pen.ctx.font = font(TEXT_SIZE, 700);
  return Math.min(w * 0.3, pen.ctx.measureText(speaker).width);
}

/** The bar below the picture: speaker and words, or the action in a lighter ink. */
export function drawCaption(pen: Pen, caption: Caption, w: number, top: number, height: number): void {
  const { ctx, style } = pen;
  ctx.fillStyle = style.paper;
  ctx.fillRect(0, top, w, height);
  pen.line([0, top], [w, top], { width: 2.4 });
  ctx.textBaseline = 'alphabetic';
  let x = 24;
  if (caption.speaker !== '') {
    const width = speakerWidth(pen, caption.speaker, w);
    ctx.font = font(TEXT_SIZE, 700);
    ctx.fillStyle = pen.colour('#9a3f35');
    ctx.fillText(ellipsis(ctx, caption.speaker, width + 1), x, top + 32);
    x += width + 18;
  }
  ctx.font = font(TEXT_SIZE);
  ctx.fillStyle = caption.spoken ? style.ink : pen.colour('#6b655f');
  caption.lines.forEach((line, index) => ctx.fillText(line, x, top + 32 + index * 27));
}

/** The slate at the top left: scene, size, camera. */
export function drawSlate(pen: Pen, heading: string, size: string, camera: string, w: number): void {
  const { ctx, style } = pen;
  const label = drawable(size);
  const rest = [drawable(heading), drawable(camera)].filter((part) => part !== '').join('  ·  ');
  ctx.font = font(15, 700);
  const sizeWidth = ctx.measureText(label).width + 22;
  ctx.font = font(15);
  const text = ellipsis(ctx, rest, Math.max(30, w * 0.62 - sizeWidth));
  const textWidth = text === '' ? 0 : ctx.measureText(text).width + 22;
  pen.rect(12, 12, sizeWidth + textWidth, 29, style.paper, { width: 1.6 });
  pen.rect(12, 12, sizeWidth, 29, style.ink, { width: 1.6 });
  ctx.fillStyle = style.paper;
  ctx.font = font(15, 700);
  ctx.fillText(label, 23, 32);
  ctx.fillStyle = style.ink;
  ctx.font = font(15);
  if (text !== '') ctx.fillText(text, 12 + sizeWidth + 10, 32);
}

/** A person's name on a slip of paper whose top middle is at (x, y), kept inside the picture. */
export function drawNameTag(pen: Pen, name: string, x: number, y: number, w: number): void {
  const { ctx, style } = pen;
  const text = drawable(name).slice(0, 40);
  if (text === '') return;
  ctx.font = font(15, 700);
  const shown = ellipsis(ctx, text, 190);
  const width = ctx.measureText(shown).width + 18;
  const left = Math.min(Math.max(8, x - width / 2), Math.max(8, w - width - 8));
  pen.rect(left, y, width, 24, style.paper, { width: 1.4 });
  ctx.fillStyle = style.ink;
  ctx.fillText(shown, left + 9, y + 17.5);
}
