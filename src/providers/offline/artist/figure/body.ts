import { darker, lighter } from '../colour';
import type { Point } from '../pen';
import type { FigureFrame } from './frame';
import type { Arm } from './pose';

/** Legs, torso and the arm behind it. */
export function body(frame: FigureFrame): void {
  const { look, pose } = frame;
  if (look.bag) backStrap(frame);
  arm(frame, pose.far, 1);
  legs(frame);
  torso(frame);
}

/** The arm that is nearer to us: over the torso. Answers where its hand is. */
export function nearArm(frame: FigureFrame): Point {
  return arm(frame, frame.pose.near, -1);
}

function arm(frame: FigureFrame, pose: Arm, side: 1 | -1): Point {
  const { pen, look, head, rim, shoulder, at } = frame;
  const towards = frame.facing === 0 ? 1 : frame.facing;
  const sx = side * towards * shoulder * 0.86;
  const place = ([x, y]: readonly [number, number]): Point =>
    at(sx + x * towards * (frame.facing === 0 ? 0.8 : 1), 1.56 + y);
  const sleeve =
    look.garment === 'dress' ||
    look.garment === 'coat' ||
    look.garment === 'hoodie' ||
    look.garment === 'jacket' ||
    look.garment === 'cardigan'
      ? look.top
      : look.under;
  const [start, elbow, hand] = [at(sx, 1.56), place(pose.elbow), place(pose.hand)];
  const wrist: Point = [elbow[0] + (hand[0] - elbow[0]) * 0.86, elbow[1] + (hand[1] - elbow[1]) * 0.86];
  // Two bones meet at the elbow: drawn as one bent band so that no seam shows.
  const bend: Point = [elbow[0] * 1.5 - (start[0] + wrist[0]) * 0.25, elbow[1] * 1.5 - (start[1] + wrist[1]) * 0.25];
  const width = head * 0.33 * Math.sqrt(look.build);
  const fill = side === 1 ? darker(sleeve, 0.14) : sleeve;
  pen.limb([start, bend, wrist], width, fill, rim);
  // Hides the rim of the sleeve where it grows out of the shoulder.
  if (side === -1)
    pen.curve([at(sx * 0.88, 1.62), at(sx * 0.99, 1.64)], {
      width: (width * 0.94) / pen.style.lineWeight,
      colour: fill,
    });
  pen.ellipse(hand[0], hand[1], head * 0.125, head * 0.135, look.skin, { width: rim });
  if (head > 70)
    for (const finger of [-0.05, 0, 0.05])
      pen.line(
        [hand[0] + finger * head, hand[1] + head * 0.03],
        [hand[0] + finger * head * 1.2, hand[1] + head * 0.11],
        { width: rim * 0.6, alpha: 0.6 },
      );
  pen.curve(
    [
      [wrist[0] - head * 0.1, wrist[1] - head * 0.05],
      [wrist[0] + head * 0.1, wrist[1] - head * 0.01],
    ],
    { width: rim * 0.8, alpha: 0.6 },
  );
  return hand;
}

function legs(frame: FigureFrame): void {
  const { pen, look, pose, head, rim, at } = frame;
  const towards = frame.facing === 0 ? 1 : frame.facing;
  const bottom = look.heads;
  const hip = 0.3 * look.build;
  const rest = bottom - 3.2;
  const skirt = look.garment === 'dress';
  const width = head * (skirt ? 0.27 : 0.44) * Math.sqrt(look.build);
  const fill = skirt ? darker(look.skin, 0.12) : look.bottom;
  const pairs: readonly (readonly [readonly [number, number], readonly [number, number], readonly [number, number]])[] =
    pose.legs === 'walk'
      ? [
          [
            [hip, 3.2],
            [hip + 0.42 * towards, 3.2 + rest * 0.48],
            [hip + 0.62 * towards, bottom - 0.12],
          ],
          [
            [-hip, 3.2],
            [-hip + 0.1 * towards, 3.2 + rest * 0.5],
            [-hip - 0.62 * towards, bottom - 0.12],
          ],
        ]
      : pose.legs === 'run'
        ? [
            [
              [hip, 3.2],
              [hip + 0.95 * towards, 3.2 + rest * 0.36],
              [hip + 0.6 * towards, bottom - 0.5],
            ],
            [
              [-hip, 3.2],
              [-hip - 0.25 * towards, 3.2 + rest * 0.55],
              [-hip - 1.35 * towards, 3.2 + rest * 0.66],
            ],
          ]
        : pose.legs === 'sit'
          ? [
              [
                [hip, 3.25],
                [hip + 1.1 * towards, 3.34],
                [hip + 1.15 * towards, bottom - 1.15],
              ],
              [
                [-hip, 3.25],
                [-hip + 1.05 * towards, 3.4],
                [-hip + 1.05 * towards, bottom - 1.1],
              ],
            ]
          : [
              [
                [hip, 3.2],
                [hip + 0.05, 3.2 + rest * 0.5],
                [hip + 0.06, bottom - 0.12],
              ],
              [
                [-hip, 3.2],
                [-hip - 0.05, 3.2 + rest * 0.5],
                [-hip - 0.08, bottom - 0.12],
              ],
            ];
  pairs.forEach(([from, knee, ankle], index) => {
    const [a, k, e] = [at(...from), at(...knee), at(...ankle)];
    const bend: Point = [k[0] * 1.4 - (a[0] + e[0]) * 0.2, k[1] * 1.4 - (a[1] + e[1]) * 0.2];
    const shoe: Point = [
      e[0] + head * 0.12 * (frame.facing === 0 ? (index === 0 ? 1 : -1) : towards),
      e[1] + head * 0.05,
    ];
    pen.ellipse(shoe[0], shoe[1], head * 0.27, head * 0.12, '#3b3531', { width: rim });
    pen.limb([a, bend, e], width, index === 0 ? darker(fill, 0.16) : fill, rim);
  });
}

function torso(frame: FigureFrame): void {
  const { pen, look, pose, rim, shoulder, at } = frame;
  const hip = 0.52 * look.build;
  const long = pose.legs !== 'sit' && (look.garment === 'coat' || look.garment === 'dress');
  const hem = long ? 3.2 + (look.heads - 3.2) * (look.garment === 'coat' ? 0.42 : 0.56) : 3.36;
  const flare = long ? (look.garment === 'dress' ? 0.36 : 0.16) : 0.02;
  const upper = look.garment === 'shirt' || look.garment === 'apron' ? look.under : look.top;
  pen.outline(
    [
      at(-0.2, 1.2),
      at(-shoulder * 0.7, 1.34),
      at(-shoulder, 1.56),
      at(-shoulder * 0.9, 2.1),
      at(-hip * 0.92, 2.7),
      at(-hip - flare * 0.4, 3.1),
      at(-hip - flare, hem),
      at(0, hem + 0.06),
      at(hip + flare, hem),
      at(hip + flare * 0.4, 3.1),
      at(hip * 0.92, 2.7),
      at(shoulder * 0.9, 2.1),
      at(shoulder, 1.56),
      at(shoulder * 0.7, 1.34),
      at(0.2, 1.2),
    ],
    upper,
    { width: rim },
  );
  garmentDetails(frame, hem);
}

function garmentDetails(frame: FigureFrame, hem: number): void {
  const { pen, look, head, rim, at } = frame;
  const lean = frame.facing * 0.12;
  const thin = { width: rim * 0.8, alpha: 0.75 };
  switch (look.garment) {
    case 'coat':
    case 'jacket':
      pen.shape([at(lean - 0.17, 1.24), at(lean + 0.17, 1.24), at(lean + 0.03, 2.05)], look.under, thin);
      pen.shape([at(lean - 0.2, 1.22), at(lean - 0.42, 1.66), at(lean, 2.1)], darker(look.top, 0.12), thin);
      pen.shape([at(lean + 0.2, 1.22), at(lean + 0.42, 1.66), at(lean + 0.03, 2.1)], darker(look.top, 0.18), thin);
      pen.line(at(lean + 0.02, 2.1), at(lean, hem), thin);
      for (const y of [2.28, 2.6, 2.92])
        pen.ellipse(...at(lean + 0.12, y), head * 0.035, head * 0.035, darker(look.top, 0.5));
      break;
    case 'cardigan':
      pen.shape(
        [at(lean - 0.17, 1.24), at(lean + 0.17, 1.24), at(lean + 0.12, 3.3), at(lean - 0.06, 3.3)],
        look.under,
        thin,
      );
      for (const y of [1.9, 2.3, 2.7, 3.1])
        pen.ellipse(...at(lean + 0.24, y), head * 0.04, head * 0.04, '#e4d8bd', { width: rim * 0.6 });
      break;
    case 'hoodie':
      pen.outline(
        [at(lean - 0.36, 1.3), at(lean, 1.62), at(lean + 0.36, 1.3), at(lean + 0.2, 1.16), at(lean - 0.2, 1.16)],
        darker(look.top, 0.16),
        thin,
      );
      pen.outline(
        [at(lean - 0.34, 3.05), at(lean - 0.26, 2.6), at(lean + 0.26, 2.6), at(lean + 0.34, 3.05)],
        darker(look.top, 0.07),
        thin,
      );
      for (const x of [-0.1, 0.1])
        pen.line(at(lean + x, 1.56), at(lean + x * 1.2, 1.98), { width: rim * 0.9, colour: '#ece4d2' });
      break;
    case 'apron':
      for (const side of [-1, 1])
        pen.line(at(lean + side * 0.2, 1.24), at(lean + side * 0.3, 1.8), { width: rim * 2.2, colour: look.top });
      pen.outline(
        [
          at(lean - 0.32, 1.76),
          at(lean + 0.32, 1.76),
          at(lean + 0.4, 2.5),
          at(0.5 * look.build, 2.7),
          at(0.48 * look.build, 3.9),
          at(-0.48 * look.build, 3.9),
          at(-0.5 * look.build, 2.7),
          at(lean - 0.4, 2.5),
        ],
        look.top,
        thin,
      );
      pen.curve([at(-0.5 * look.build, 2.66), at(0, 2.74), at(0.5 * look.build, 2.66)], thin);
      pen.outline(
        [at(lean - 0.22, 2.95), at(lean + 0.22, 2.95), at(lean + 0.2, 3.35), at(lean - 0.2, 3.35)],
        darker(look.top, 0.1),
        thin,
      );
      break;
    case 'shirt':
      pen.shape([at(lean - 0.2, 1.2), at(lean - 0.02, 1.44), at(lean - 0.3, 1.5)], lighter(look.under, 0.3), thin);
      pen.shape([at(lean + 0.2, 1.2), at(lean + 0.02, 1.44), at(lean + 0.3, 1.5)], lighter(look.under, 0.3), thin);
      pen.shape(
        [at(lean - 0.07, 1.42), at(lean + 0.07, 1.42), at(lean + 0.11, 2.5), at(lean, 2.7), at(lean - 0.11, 2.5)],
        look.top,
        thin,
      );
      break;
    case 'dress':
      pen.outline([at(lean - 0.24, 1.22), at(lean, 1.5), at(lean + 0.24, 1.22)], look.skin, thin);
      pen.curve([at(-0.48 * look.build, 2.66), at(0, 2.76), at(0.48 * look.build, 2.66)], {
        width: rim * 2,
        colour: darker(look.top, 0.4),
      });
      for (const x of [-0.3, 0, 0.3])
        pen.curve([at(x * 0.6, 2.95), at(x, 3.4), at(x * 1.5, hem - 0.1)], { width: rim * 0.7, alpha: 0.4 });
      break;
  }
  pen.hatch(...at(-frame.facing * 0.45 - 0.18, 2.1), head * 0.36, head * 1.1, Math.max(4, head * 0.09), {
    alpha: 0.16,
  });
}

function backStrap(frame: FigureFrame): void {
  const { pen, rim, at } = frame;
  pen.outline([at(-0.95, 2.5), at(-0.9, 3.3), at(-0.2, 3.4), at(-0.2, 2.5)], '#8b6a45', { width: rim });
}

/** The strap of a bag across the chest: after the torso. */
export function bagStrap(frame: FigureFrame): void {
  const { pen, head, rim, at } = frame;
  if (!frame.look.bag) return;
  pen.limb([at(0.48, 1.42), at(0, 2.1), at(-0.55, 2.9)], head * 0.09, '#6f5238', rim * 0.7);
  pen.outline([at(-1, 2.75), at(-1.02, 3.4), at(-0.36, 3.46), at(-0.34, 2.8)], '#9a764b', { width: rim });
  pen.outline([at(-1.02, 2.72), at(-0.96, 3.08), at(-0.4, 3.1), at(-0.33, 2.76)], '#7d5d3b', { width: rim * 0.8 });
}
