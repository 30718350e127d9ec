import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sheet } from './canvas';
import type { Card } from './card';
import { cameraMove } from './camera-move';
import { castOf } from './cast';
import { darker } from './colour';
import { framingOf, type Framing } from './framing';
import { grade, shine, weather } from './grading';
import { captionHeight, captionOf, drawCaption, drawSlate } from './labels';
import { agePaper, halftone } from './paper';
import { drawPeople } from './people';
import type { Pen } from './pen';
import { LYING, propPainter, propsIn, type PropPainter } from './props/prop';
import { paintScene } from './scene';

/** One panel of the storyboard: place, people, props, light, caption. */
export async function drawShot(sheet: Sheet, card: Card): Promise<void> {
  const { pen, w } = sheet;
  const framing = framingFor(card);
  const caption = captionOf(pen, card, w);
  // A very flat or small picture keeps at least half of itself for the drawing.
  const barHeight = Math.min(captionHeight(caption.lines.length), sheet.h * 0.5);
  const h = sheet.h - barHeight;
  pen.ctx.save();
  pen.ctx.beginPath();
  pen.ctx.rect(0, 0, w, h);
  pen.ctx.clip();
  const place = paintScene(pen, card, framing, w, h);
  await nextTurn();
  if (framing.size === 'insert') insert(pen, card, w, h);
  else if (framing.crown === undefined) setDown(pen, card, w, h);
  const tags = drawPeople({
    pen,
    card,
    framing,
    light: place.stage.light,
    w,
    h,
    footY: h * (framing.size === 'extreme_wide' ? 0.8 : 0.95),
  });
  grade(place.stage, place.indoors, card.palette);
  shine(place.stage, place.glows);
  weather(place.stage, place.indoors);
  if (pen.style.shadowSlats && place.indoors) slats(pen, w, h);
  if (pen.style.halftone) halftone(pen, w, h);
  agePaper(pen, w, h);
  cameraMove(pen, card.camera, w, h);
  tags();
  pen.ctx.restore();
  drawSlate(
    pen,
    card.sceneHeading || card.place,
    framing.label,
    /^\W*(static|locked|고정)\W*$/i.test(card.camera) ? '' : card.camera,
    w,
  );
  if (barHeight > 0) drawCaption(pen, caption, w, h, barHeight);
  pen.rect(3, 3, w - 6, sheet.h - 6, undefined, { width: 3 });
}

/** A close shot of no one is a shot of the thing it names, or else of the place. */
function framingFor(card: Card): Framing {
  const framing = framingOf(card.shotSize);
  if (framing.crown === undefined || castOf(card, framing).length > 0) return framing;
  return propsIn([card.subject, ...card.props], toldBy(card), 1).length > 0
    ? framingOf('insert')
    : { ...framingOf('full'), label: framing.label };
}

/** Words that name things; palette and mood do not, whatever flowers they speak of. */
function toldBy(card: Card): string {
  return `${card.subject} . ${card.action} . ${card.description}`;
}

/** The thing itself, large, on a table top. */
function insert(pen: Pen, card: Card, w: number, h: number): void {
  const things = propsIn([card.subject, ...card.props], toldBy(card), 2);
  const top = h * 0.64;
  pen.shape(
    [
      [-20, top],
      [w + 20, top - 8],
      [w + 20, h + 20],
      [-20, h + 20],
    ],
    '#9a7757',
    { width: 2.4 },
  );
  for (let grain = 0; grain < 5; grain += 1)
    pen.curve(
      [
        [-10, top + 16 + grain * 26],
        [w * 0.3, top + 10 + grain * 28],
        [w * 0.7, top + 20 + grain * 27],
        [w + 10, top + 12 + grain * 28],
      ],
      { width: 1.1, alpha: 0.3 },
    );
  things.forEach((paint, index) => {
    const size = h * (index === 0 ? 0.38 : 0.2);
    const x = w * (things.length === 1 ? 0.5 : index === 0 ? 0.42 : 0.8);
    if (LYING.has(paint)) layDown(pen, paint, x, h * (index === 0 ? 0.76 : 0.84), size * 1.15);
    else stand(pen, paint, x, h * (index === 0 ? 0.5 : 0.66), size);
  });
}

function stand(pen: Pen, paint: PropPainter, x: number, y: number, size: number): void {
  pen.ctx.globalAlpha = 0.3;
  pen.ellipse(x + size * 0.18, y + size * 0.8, size * 0.95, size * 0.14, darker('#4f4038', 0.4));
  pen.ctx.globalAlpha = 1;
  paint(pen, x, y, size);
}

/** Seen from a little above: foreshortened, with its shadow right under it. */
function layDown(pen: Pen, paint: PropPainter, x: number, y: number, size: number): void {
  const { ctx } = pen;
  ctx.save();
  ctx.translate(x, y);
  ctx.transform(1, -0.04, -0.22, 0.56, 0, 0);
  ctx.globalAlpha = 0.3;
  pen.ellipse(size * 0.06, size * 0.14, size * 0.98, size * 0.66, darker('#4f4038', 0.4));
  ctx.globalAlpha = 1;
  paint(pen, 0, 0, size);
  ctx.restore();
}

/** In wide shots without a hand for it, what the shot is about stands on the ground or a crate. */
function setDown(pen: Pen, card: Card, w: number, h: number): void {
  if (card.characters.length > 0) return;
  const paint = card.props.map(propPainter).find((found) => found !== undefined);
  paint?.(pen, w * 0.5, h * 0.84, h * 0.09);
}

/** The shadow of blinds: film noir. */
function slats(pen: Pen, w: number, h: number): void {
  const { ctx } = pen;
  ctx.fillStyle = 'rgba(8,8,12,0.3)';
  for (let slat = -2; slat < 9; slat += 1) {
    const y = (slat * h) / 7;
    ctx.beginPath();
    ctx.moveTo(0, y);
    ctx.lineTo(w * 0.42, y + h * 0.1);
    ctx.lineTo(w * 0.42, y + h * 0.15);
    ctx.lineTo(0, y + h * 0.06);
    ctx.fill();
  }
}
