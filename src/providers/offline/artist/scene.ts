import type { Card } from './card';
import { wordsOf } from './card';
import type { Framing } from './framing';
import { lightOf } from './light';
import { Pen } from './pen';
import { isInterior, placeKind, type PlaceKind } from './place-kind';
import { paintPlace } from './places/place';
import { randomFrom } from './random';
import type { Glow, Stage } from './stage';

/** The painted place of a card, with what later steps need: the stage of the picture itself and its glows. */
export interface PaintedPlace {
  readonly stage: Stage;
  readonly kind: PlaceKind;
  readonly indoors: boolean;
  readonly glows: readonly Glow[];
}

/**
 * Paints the card's place as this framing sees it. Seeded by the place alone: the same room in every shot, enlarged and
 * panned, never another room.
 */
export function paintScene(pen: Pen, card: Card, framing: Framing, w: number, h: number): PaintedPlace {
  const kind = placeKind(
    card.place,
    `${card.sceneHeading} ${card.description}`,
    card.interior || card.sceneHeading.trim(),
  );
  const indoors = isInterior(kind);
  const light = lightOf(card.timeOfDay, card.sceneHeading, indoors ? '' : card.mood);
  const text = wordsOf(card);
  const seed = `place:${card.place.normalize('NFC').toUpperCase()}:${kind}`;
  const glows: Glow[] = [];
  const tilt = /low.?angle|looking up|로우/i.test(card.camera)
    ? 0.12
    : /high.?angle|overhead|looking down|하이 ?앵글|부감/i.test(card.camera)
      ? -0.14
      : 0;
  const placePen = new Pen(pen.ctx, randomFrom(seed), pen.style);
  const stage: Stage = {
    pen: placePen,
    random: randomFrom(`${seed}:layout`),
    light,
    w,
    h,
    horizon: h * (0.56 + tilt),
    text,
    glows,
  };
  const { ctx } = pen;
  const zoom = framing.zoom;
  const pan = zoom === 1 ? 0 : (pen.random.next() - 0.5) * w * 0.16 * zoom;
  const centre = { x: w / 2 + pan, y: h * 0.52 };
  ctx.save();
  ctx.translate(w / 2, h / 2);
  ctx.scale(zoom, zoom);
  ctx.translate(
    -Math.min(w - w / (2 * zoom), Math.max(w / (2 * zoom), centre.x)),
    -Math.min(h - h / (2 * zoom), Math.max(h / (2 * zoom), centre.y)),
  );
  paintPlace(kind, stage);
  const matrix = ctx.getTransform();
  ctx.restore();
  if (framing.fade > 0) {
    ctx.globalAlpha = framing.fade;
    ctx.fillStyle = pen.colour(light.moon || light.time === 'dusk' ? light.sky[2] : pen.style.paper);
    ctx.fillRect(0, 0, w, h);
    ctx.globalAlpha = 1;
  }
  const base = ctx.getTransform();
  const place = (glow: Glow): Glow => ({
    ...glow,
    x: (matrix.a * glow.x + matrix.e) / base.a,
    y: (matrix.d * glow.y + matrix.f) / base.d,
    radius: (glow.radius * matrix.a) / base.a,
    strength: glow.strength * (1 - framing.fade * 0.7),
  });
  return { stage: { ...stage, pen }, kind, indoors, glows: glows.map(place) };
}
