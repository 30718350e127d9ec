import { darker } from '../colour';
import type { FigureFrame, Placement } from './frame';

/** Those in the cast who are not people: a mailbox that talks, animals, machines. */
export function creature(frame: FigureFrame, place: Placement): void {
  switch (frame.look.kind) {
    case 'mailbox':
      return mailbox(frame, place);
    case 'robot':
      return robot(frame);
    case 'dog':
    case 'cat':
      return animal(frame, place);
    case 'human':
      return;
  }
}

function eyes(frame: FigureFrame, x: number, y: number, apart: number, size: number): void {
  const { pen, head, rim, at } = frame;
  for (const side of [-1, 1]) {
    pen.ellipse(...at(x + side * apart, y), head * size, head * size, '#fbf8ef', { width: rim });
    pen.ellipse(
      ...at(x + side * apart + frame.facing * size * 0.3, y),
      head * size * 0.45,
      head * size * 0.5,
      '#1f1d22',
    );
  }
}

function mailbox(frame: FigureFrame, place: Placement): void {
  const { pen, rim, head, at, look } = frame;
  const red = '#b8433a';
  const bottom = look.heads;
  pen.ellipse(place.x, at(0, bottom)[1], head * 0.95, head * 0.16, '#4b4440');
  for (const x of [-0.5, 0.5])
    pen.shape(
      [at(x - 0.14, bottom - 1.3), at(x + 0.14, bottom - 1.3), at(x + 0.14, bottom), at(x - 0.14, bottom)],
      darker(red, 0.45),
      { width: rim },
    );
  pen.outline(
    [
      at(-0.85, bottom - 1.2),
      at(-0.87, 1.4),
      at(-0.8, 0.6),
      at(0, 0.05),
      at(0.8, 0.6),
      at(0.87, 1.4),
      at(0.85, bottom - 1.2),
      at(0, bottom - 1.1),
    ],
    red,
    { width: rim * 1.2 },
  );
  pen.limb([at(-0.86, 1.62), at(0, 1.7), at(0.86, 1.62)], head * 0.12, darker(red, 0.25), rim);
  eyes(frame, frame.facing * 0.12, 0.98, 0.3, 0.17);
  const open = 0.05 + frame.expression.mouth * 0.22;
  pen.outline([at(-0.55, 2.0), at(0, 1.96), at(0.55, 2.0), at(0.5, 2.06 + open), at(-0.5, 2.06 + open)], '#2c1b1b', {
    width: rim,
  });
  pen.shape([at(-0.5, 2.7), at(0.5, 2.7), at(0.5, 3.5), at(-0.5, 3.5)], '#efe3c8', { width: rim });
  for (const y of [2.9, 3.1, 3.3]) pen.line(at(-0.38, y), at(0.3, y), { width: rim * 0.8, alpha: 0.6 });
}

function robot(frame: FigureFrame): void {
  const { pen, rim, head, at, look } = frame;
  const metal = '#9aa5a8';
  for (const side of [-1, 1]) {
    pen.limb(
      [at(side * 0.3, 3.3), at(side * 0.36, 4.6), at(side * 0.34, look.heads - 0.1)],
      head * 0.34,
      darker(metal, 0.3),
      rim,
    );
    pen.limb([at(side * 0.8, 1.7), at(side * 1.1, 2.5), at(side * 0.9, 3.3)], head * 0.26, darker(metal, 0.2), rim);
  }
  pen.shape([at(-0.8, 1.3), at(0.8, 1.3), at(0.62, 3.4), at(-0.62, 3.4)], metal, { width: rim });
  pen.ellipse(...at(0, 2.2), head * 0.24, head * 0.24, look.top, { width: rim });
  pen.shape([at(-0.52, 0.05), at(0.52, 0.05), at(0.52, 1.05), at(-0.52, 1.05)], metal, { width: rim });
  pen.line(at(0, 0.05), at(0, -0.3), { width: rim * 1.2 });
  pen.ellipse(...at(0, -0.34), head * 0.07, head * 0.07, look.top, { width: rim });
  eyes(frame, 0, 0.48, 0.22, 0.14);
  pen.line(at(-0.22, 0.84), at(0.22, 0.84), { width: rim * 1.3 });
}

function animal(frame: FigureFrame, place: Placement): void {
  const { pen, rim, look } = frame;
  const dog = look.kind === 'dog';
  const fur = dog ? '#a5794c' : '#8d8a86';
  const size = place.height * 0.2;
  const towards = frame.facing === 0 ? 1 : frame.facing;
  const x = (share: number): number => place.x + share * size * towards;
  const y = (share: number): number => place.footY + share * size;
  for (const leg of [-0.7, -0.45, 0.4, 0.62])
    pen.limb(
      [
        [x(leg), y(-0.7)],
        [x(leg), y(-0.3)],
        [x(leg + 0.05), y(0)],
      ],
      size * 0.16,
      darker(fur, 0.15),
      rim,
    );
  pen.curve(
    [
      [x(-0.85), y(-1)],
      [x(-1.25), y(-1.3)],
      [x(-1.15), y(-1.7)],
    ],
    { width: size * 0.13, colour: fur },
  );
  pen.outline(
    [
      [x(-0.9), y(-0.9)],
      [x(-0.6), y(-1.22)],
      [x(0.3), y(-1.2)],
      [x(0.75), y(-1.05)],
      [x(0.65), y(-0.55)],
      [x(-0.7), y(-0.52)],
    ],
    fur,
    { width: rim },
  );
  pen.ellipse(x(0.92), y(-1.45), size * 0.38, size * 0.34, fur, { width: rim });
  for (const ear of [0.72, 1.08])
    pen.shape(
      [[x(ear - 0.12), y(-1.66)], [x(ear + 0.14), y(-1.68)], dog ? [x(ear - 0.18), y(-1.25)] : [x(ear), y(-2.05)]],
      darker(fur, 0.2),
      { width: rim },
    );
  pen.ellipse(x(1.02), y(-1.5), size * 0.05, size * 0.05, '#1f1d22');
  pen.ellipse(x(1.27), y(-1.38), size * 0.07, size * 0.05, '#2a2224');
}
