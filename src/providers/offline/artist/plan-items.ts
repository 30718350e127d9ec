import { lighter } from './colour';
import { font } from '../../../images/lettering';
import type { Pen } from './pen';
import { walls, type PlanRoom } from './plan-room';
import type { Exterior, Interior, PlaceKind } from './place-kind';
import type { Random } from './random';

type Item = readonly [label: string, x: number, y: number, w: number, h: number, colour: string, round?: boolean];

const WOOD = '#c9a57f';
const SOFT = '#b9c2b4';
const METAL = '#c3c9c9';

const INSIDE: Readonly<Record<Interior, readonly Item[]>> = {
  room: [
    ['shelves', 0.03, 0.03, 0.3, 0.1, WOOD],
    ['sofa', 0.34, 0.3, 0.34, 0.14, SOFT],
    ['table', 0.42, 0.52, 0.18, 0.14, WOOD],
    ['plant', 0.88, 0.06, 0.08, 0.12, '#8faf7f', true],
  ],
  kitchen: [
    ['counter', 0.02, 0.02, 0.6, 0.13, METAL],
    ['stove', 0.66, 0.02, 0.14, 0.13, METAL],
    ['fridge', 0.86, 0.02, 0.12, 0.16, METAL],
    ['table', 0.36, 0.45, 0.28, 0.24, WOOD],
  ],
  bedroom: [
    ['bed', 0.05, 0.1, 0.3, 0.5, SOFT],
    ['night table', 0.38, 0.1, 0.1, 0.12, WOOD],
    ['wardrobe', 0.62, 0.02, 0.34, 0.13, WOOD],
    ['chair', 0.78, 0.5, 0.09, 0.12, WOOD],
  ],
  office: [
    ['shelves', 0.02, 0.03, 0.3, 0.1, WOOD],
    ['files', 0.84, 0.03, 0.14, 0.18, METAL],
    ['desk', 0.34, 0.34, 0.34, 0.2, WOOD],
    ['chair', 0.46, 0.2, 0.1, 0.1, SOFT],
    ['chair', 0.46, 0.6, 0.1, 0.1, SOFT],
  ],
  corridor: [
    ['door', 0.02, 0.2, 0.04, 0.2, WOOD],
    ['door', 0.94, 0.2, 0.04, 0.2, WOOD],
    ['door', 0.02, 0.6, 0.04, 0.2, WOOD],
    ['bench', 0.3, 0.04, 0.3, 0.08, WOOD],
  ],
  stairs: [
    ['up', 0.3, 0.06, 0.4, 0.7, WOOD],
    ['landing', 0.02, 0.06, 0.24, 0.7, SOFT],
  ],
  cafe: [
    ['bar', 0.03, 0.04, 0.5, 0.13, WOOD],
    ['table', 0.2, 0.42, 0.13, 0.18, WOOD, true],
    ['table', 0.5, 0.34, 0.13, 0.18, WOOD, true],
    ['table', 0.72, 0.56, 0.13, 0.18, WOOD, true],
  ],
  shop: [
    ['shelves', 0.03, 0.03, 0.9, 0.09, WOOD],
    ['shelves', 0.24, 0.3, 0.4, 0.1, WOOD],
    ['counter', 0.2, 0.56, 0.4, 0.13, METAL],
    ['till', 0.5, 0.57, 0.08, 0.1, '#d8c27f'],
  ],
  archive: [
    ['rack 1', 0.04, 0.06, 0.1, 0.62, WOOD],
    ['rack 2', 0.22, 0.06, 0.1, 0.62, WOOD],
    ['rack 3', 0.68, 0.06, 0.1, 0.62, WOOD],
    ['rack 4', 0.86, 0.06, 0.1, 0.62, WOOD],
    ['table', 0.4, 0.3, 0.2, 0.24, WOOD],
  ],
  post_office: [
    ['letters', 0.03, 0.03, 0.94, 0.1, WOOD],
    ['counter', 0.14, 0.46, 0.72, 0.13, WOOD],
    ['scales', 0.42, 0.47, 0.1, 0.1, METAL, true],
    ['mailbox', 0.06, 0.7, 0.1, 0.14, '#c2615a', true],
  ],
  clinic: [
    ['bed', 0.04, 0.1, 0.36, 0.2, '#e4e9e4'],
    ['screen', 0.44, 0.08, 0.03, 0.3, SOFT],
    ['desk', 0.62, 0.2, 0.26, 0.16, WOOD],
    ['cabinet', 0.84, 0.5, 0.13, 0.26, METAL],
  ],
  classroom: [
    ['board', 0.24, 0.01, 0.5, 0.05, '#7f9a86'],
    ['desk', 0.4, 0.12, 0.2, 0.12, WOOD],
    ['', 0.12, 0.38, 0.18, 0.12, WOOD],
    ['', 0.42, 0.38, 0.18, 0.12, WOOD],
    ['', 0.72, 0.38, 0.18, 0.12, WOOD],
    ['', 0.12, 0.6, 0.18, 0.12, WOOD],
    ['', 0.72, 0.6, 0.18, 0.12, WOOD],
  ],
  hall: [
    ['stage', 0.15, 0.02, 0.7, 0.18, WOOD],
    ['seats', 0.12, 0.36, 0.3, 0.36, SOFT],
    ['seats', 0.56, 0.36, 0.3, 0.36, SOFT],
  ],
  vehicle: [
    ['driver', 0.04, 0.1, 0.14, 0.22, METAL],
    ['seats', 0.24, 0.05, 0.66, 0.2, SOFT],
    ['seats', 0.24, 0.6, 0.44, 0.2, SOFT],
  ],
  bridge: [
    ['console', 0.1, 0.04, 0.8, 0.16, METAL],
    ['wheel', 0.43, 0.26, 0.14, 0.2, WOOD, true],
    ['chart table', 0.06, 0.5, 0.26, 0.24, WOOD],
    ['chair', 0.74, 0.4, 0.1, 0.14, SOFT],
  ],
  machine_room: [
    ['engine 1', 0.12, 0.14, 0.3, 0.36, METAL],
    ['engine 2', 0.56, 0.14, 0.3, 0.36, METAL],
    ['pumps', 0.1, 0.62, 0.22, 0.16, METAL],
    ['rail', 0.02, 0.84, 0.66, 0.04, '#d8b65a'],
  ],
  booth: [
    ['telephone', 0.4, 0.05, 0.2, 0.2, METAL],
    ['shelf', 0.2, 0.3, 0.16, 0.2, WOOD],
  ],
};

const GREEN = '#9fb587';
const WATER = '#9fbfca';
const STONE = '#c3b9a8';

const OUTSIDE: Readonly<Record<Exterior, readonly Item[]>> = {
  street: [
    ['houses', 0, 0, 1, 0.2, STONE],
    ['road', 0, 0.32, 1, 0.28, '#b1aca4'],
    ['houses', 0, 0.76, 1, 0.24, STONE],
    ['tree', 0.2, 0.21, 0.07, 0.1, GREEN, true],
    ['lamp', 0.6, 0.22, 0.04, 0.06, '#e3c56a', true],
  ],
  alley: [
    ['wall', 0, 0, 0.32, 1, STONE],
    ['wall', 0.66, 0, 0.34, 1, STONE],
    ['crates', 0.34, 0.5, 0.08, 0.14, WOOD],
    ['lamp', 0.6, 0.3, 0.04, 0.06, '#e3c56a', true],
  ],
  square: [
    ['houses', 0, 0, 1, 0.16, STONE],
    ['fountain', 0.39, 0.36, 0.22, 0.3, WATER, true],
    ['tree', 0.1, 0.3, 0.1, 0.15, GREEN, true],
    ['tree', 0.8, 0.3, 0.1, 0.15, GREEN, true],
    ['stalls', 0.12, 0.76, 0.5, 0.12, '#d8a58a'],
  ],
  station: [
    ['street', 0, 0, 1, 0.2, '#b1aca4'],
    ['rails', 0, 0.34, 1, 0.12, '#a9a39b'],
    ['platform', 0, 0.5, 1, 0.4, STONE],
    ['shelter', 0.14, 0.56, 0.3, 0.14, METAL],
    ['sign', 0.56, 0.56, 0.05, 0.07, '#e3c56a', true],
  ],
  rooftop: [
    ['parapet', 0, 0, 1, 0.05, STONE],
    ['stair house', 0.05, 0.14, 0.2, 0.34, STONE],
    ['water tank', 0.68, 0.12, 0.2, 0.28, '#d8bf78', true],
    ['clothes line', 0.36, 0.3, 0.26, 0.03, METAL],
    ['mailbox', 0.56, 0.6, 0.07, 0.1, '#c2615a', true],
  ],
  harbour: [
    ['sea', 0, 0, 1, 0.5, WATER],
    ['quay', 0, 0.5, 1, 0.5, STONE],
    ['boat', 0.14, 0.24, 0.2, 0.13, WOOD, true],
    ['boat', 0.6, 0.3, 0.24, 0.14, WOOD, true],
    ['crates', 0.1, 0.6, 0.12, 0.12, WOOD],
  ],
  deck: [
    ['sea', 0, 0, 1, 0.18, WATER],
    ['deck', 0, 0.18, 1, 0.64, WOOD],
    ['sea', 0, 0.82, 1, 0.18, WATER],
    ['cabin', 0.62, 0.32, 0.26, 0.34, METAL],
    ['bench', 0.14, 0.26, 0.3, 0.08, STONE],
  ],
  sea: [
    ['sea', 0, 0, 1, 1, WATER],
    ['boat', 0.4, 0.38, 0.24, 0.18, WOOD, true],
  ],
  beach: [
    ['sea', 0, 0, 1, 0.4, WATER],
    ['sand', 0, 0.4, 1, 0.6, '#e0d0a6'],
    ['driftwood', 0.54, 0.66, 0.2, 0.05, WOOD],
    ['rocks', 0.1, 0.56, 0.12, 0.12, '#a9a7a3', true],
  ],
  underwater: [
    ['sea bed', 0, 0, 1, 1, '#9fb8b4'],
    ['ruins', 0.1, 0.12, 0.3, 0.26, STONE],
    ['weed', 0.7, 0.2, 0.16, 0.24, GREEN, true],
    ['ruins', 0.56, 0.6, 0.2, 0.2, STONE],
  ],
  forest: [
    ['clearing', 0.3, 0.3, 0.4, 0.4, '#c9cf9f', true],
    ['trees', 0.02, 0.04, 0.22, 0.34, GREEN, true],
    ['trees', 0.74, 0.06, 0.24, 0.34, GREEN, true],
    ['trees', 0.04, 0.6, 0.22, 0.34, GREEN, true],
    ['trees', 0.74, 0.62, 0.22, 0.32, GREEN, true],
  ],
  field: [
    ['field', 0, 0, 1, 1, '#c3cb95'],
    ['path', 0.44, 0, 0.1, 1, '#ddcfa8'],
    ['tree', 0.14, 0.16, 0.14, 0.2, GREEN, true],
    ['tree', 0.76, 0.5, 0.14, 0.2, GREEN, true],
    ['bench', 0.6, 0.3, 0.16, 0.05, WOOD],
  ],
  mountain: [
    ['slope', 0, 0, 0.46, 1, '#b9bfa0'],
    ['drop', 0.72, 0, 0.28, 1, WATER],
    ['path', 0.46, 0, 0.1, 1, '#ddcfa8'],
    ['rocks', 0.14, 0.3, 0.14, 0.18, '#a9a7a3', true],
    ['pines', 0.1, 0.62, 0.16, 0.22, GREEN, true],
  ],
  house: [
    ['garden', 0, 0, 1, 1, '#c3cb95'],
    ['house', 0.34, 0.1, 0.4, 0.36, STONE],
    ['path', 0.5, 0.46, 0.08, 0.54, '#ddcfa8'],
    ['tree', 0.1, 0.3, 0.14, 0.2, GREEN, true],
    ['fence', 0, 0.9, 0.46, 0.03, WOOD],
  ],
  lighthouse: [
    ['sea', 0, 0, 1, 1, WATER],
    ['rock', 0.3, 0.2, 0.5, 0.62, '#b3b09f', true],
    ['tower', 0.46, 0.36, 0.16, 0.22, '#f0ebdf', true],
    ['steps', 0.62, 0.6, 0.06, 0.2, STONE],
  ],
  sky: [
    ['air', 0, 0, 1, 1, '#cfdfe8'],
    ['cloud', 0.14, 0.2, 0.26, 0.2, '#f5f5f0', true],
    ['cloud', 0.56, 0.5, 0.3, 0.2, '#f5f5f0', true],
  ],
};

/** Furniture or landmarks of the kind of place, each with its word. */
export function planItems(
  pen: Pen,
  kind: PlaceKind,
  indoors: boolean,
  room: PlanRoom,
  random: Random,
  text: string,
): void {
  if (indoors) walls(pen, room, '#ece0c8');
  else pen.rect(room.x, room.y, room.w, room.h, '#e4dec9', { width: 2 });
  const items = kind in INSIDE ? INSIDE[kind as Interior] : OUTSIDE[kind as Exterior];
  // One place is the mirror of another of its kind, so that two offices are not one plan.
  const mirrored = random.chance(0.5);
  pen.ctx.save();
  pen.ctx.beginPath();
  pen.ctx.rect(room.x - 1, room.y - 1, room.w + 2, room.h + 2);
  pen.ctx.clip();
  for (const item of items) drawItem(pen, item, mirrored, room);
  if (/kettle|주전자/i.test(text))
    pen.ellipse(room.x + room.w * 0.52, room.y + room.h * 0.44, 8, 8, '#b9713f', { width: 1.2 });
  pen.ctx.restore();
}

function drawItem(pen: Pen, [label, ix, iy, iw, ih, colour, round]: Item, mirrored: boolean, room: PlanRoom): void {
  const x = room.x + (mirrored ? 1 - ix - iw : ix) * room.w;
  const y = room.y + iy * room.h;
  const width = iw * room.w;
  const height = ih * room.h;
  if (round) pen.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, colour, { width: 1.5 });
  else pen.rect(x, y, width, height, colour, { width: 1.5 });
  if (!round && width > 40 && height > 20)
    pen.rect(x + 5, y + 5, width - 10, height - 10, lighter(colour, 0.14), { width: 0.8, alpha: 0.4 });
  if (label === '') return;
  const { ctx } = pen;
  ctx.font = font(12.5);
  ctx.fillStyle = pen.style.ink;
  const labelWidth = ctx.measureText(label).width;
  ctx.fillText(label, x + width / 2 - labelWidth / 2, y + height / 2 + 4.5);
}
