import type { Sheet } from './canvas';
import { wordsOf, type Card } from './card';
import { drawable, ellipsis, font } from '../../../images/lettering';
import { lightPaper, type PlanRoom } from './plan-room';
import { planItems } from './plan-items';
import { isInterior, placeKind } from './place-kind';
import { randomFrom } from './random';

/** A plan from above: walls, doors, furniture or landmarks, north, scale, camera positions. */
export function drawFloorPlan(sheet: Sheet, card: Card): void {
  const { pen, w, h } = sheet;
  const name = card.place || card.subject || card.sceneHeading;
  const kind = placeKind(name, card.description, card.interior || card.sceneHeading);
  const random = randomFrom(`plan:${name.normalize('NFC').toUpperCase()}`);
  lightPaper(pen, w, h);
  const room: PlanRoom = { x: w * 0.12, y: h * 0.21, w: w * 0.62, h: h * 0.63 };
  planItems(pen, kind, isInterior(kind), room, random, wordsOf(card));
  cameras(sheet, room);
  title(sheet, name, `${isInterior(kind) ? 'INT' : 'EXT'} · floor plan`);
  north(sheet);
  scaleBar(sheet, room);
  things(sheet, card.props, room);
  pen.rect(3, 3, w - 6, h - 6, undefined, { width: 3 });
}

function title({ pen, w, h }: Sheet, name: string, kind: string): void {
  const { ctx, style } = pen;
  ctx.fillStyle = style.ink;
  ctx.font = font(26, 700);
  ctx.fillText(ellipsis(ctx, drawable(name), w * 0.7), w * 0.12, h * 0.1);
  ctx.font = font(15);
  ctx.fillStyle = pen.colour('#7a746c');
  ctx.fillText(kind, w * 0.12, h * 0.1 + 24);
}

function north({ pen, w, h }: Sheet): void {
  const x = w * 0.87;
  const y = h * 0.2;
  pen.ellipse(x, y, 34, 34, undefined, { width: 1.6 });
  pen.shape(
    [
      [x, y - 42],
      [x + 10, y + 12],
      [x, y + 4],
      [x - 10, y + 12],
    ],
    '#b23a30',
    { width: 1.4 },
  );
  pen.ctx.font = font(17, 700);
  pen.ctx.fillStyle = pen.style.ink;
  pen.ctx.fillText('N', x - 6, y - 48);
}

function scaleBar({ pen, w, h }: Sheet, room: PlanRoom): void {
  const unit = room.w / 8;
  const y = h * 0.93;
  for (let part = 0; part < 4; part += 1)
    pen.rect(w * 0.12 + part * unit, y, unit, 9, part % 2 === 0 ? pen.style.ink : pen.style.paper, { width: 1.2 });
  pen.ctx.font = font(13);
  pen.ctx.fillStyle = pen.style.ink;
  for (const part of [0, 2, 4]) pen.ctx.fillText(`${part} m`, w * 0.12 + part * unit - 8, y - 6);
}

/** What the scenes need there. */
function things({ pen, w }: Sheet, props: readonly string[], room: PlanRoom): void {
  const { ctx } = pen;
  ctx.font = font(14);
  ctx.fillStyle = pen.colour('#7a746c');
  props
    .slice(0, 6)
    .forEach((prop, index) =>
      ctx.fillText(ellipsis(ctx, `· ${drawable(prop)}`, w * 0.18), w * 0.8, room.y + room.h * 0.5 + 92 + index * 22),
    );
}

/** Three set-ups that cover the place: A the master, B and C across. */
function cameras({ pen, w }: Sheet, room: PlanRoom): void {
  const { ctx } = pen;
  const setups = [
    ['A', room.x + room.w / 2, room.y + room.h - 26, -Math.PI / 2],
    ['B', room.x + 34, room.y + room.h * 0.42, 0.25],
    ['C', room.x + room.w - 34, room.y + room.h * 0.42, Math.PI - 0.25],
  ] as const;
  for (const [name, x, y, angle] of setups) {
    const reach = Math.min(room.w, room.h) * 0.34;
    ctx.globalAlpha = 0.14;
    pen.shape(
      [
        [x, y],
        [x + Math.cos(angle - 0.42) * reach, y + Math.sin(angle - 0.42) * reach],
        [x + Math.cos(angle + 0.42) * reach, y + Math.sin(angle + 0.42) * reach],
      ],
      '#b23a30',
    );
    ctx.globalAlpha = 1;
    for (const side of [-0.42, 0.42])
      pen.line([x, y], [x + Math.cos(angle + side) * reach, y + Math.sin(angle + side) * reach], {
        width: 1.2,
        colour: '#b23a30',
        alpha: 0.7,
      });
    pen.ellipse(x, y, 14, 14, '#b23a30', { width: 1.6 });
    ctx.font = font(15, 700);
    ctx.fillStyle = '#ffffff';
    ctx.fillText(name, x - 5, y + 5.5);
  }
  ctx.font = font(14);
  ctx.fillStyle = pen.style.ink;
  ['A  master', 'B  across', 'C  reverse'].forEach((line, index) =>
    ctx.fillText(line, w * 0.8, room.y + room.h * 0.5 + index * 24),
  );
}
