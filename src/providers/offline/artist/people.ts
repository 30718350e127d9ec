import type { Card } from './card';
import { castOf, same, type Standing } from './cast';
import { darker } from './colour';
import { expressionOf } from './figure/expression';
import { figure, type DrawnFigure } from './figure/figure';
import { lookOf } from './figure/look';
import { poseOf } from './figure/pose';
import type { Framing } from './framing';
import { drawNameTag } from './labels';
import type { Light } from './light';
import type { Pen } from './pen';
import { propsIn } from './props/prop';
import { randomFrom } from './random';

export interface PeopleScene {
  readonly pen: Pen;
  readonly card: Card;
  readonly framing: Framing;
  readonly light: Light;
  readonly w: number;
  readonly h: number;
  /** Where feet stand in wide shots, units. */
  readonly footY: number;
}

interface Tag {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Draws the cast of a shot. Answers what writes the name tags, which belong over the light and the weather. */
export function drawPeople(scene: PeopleScene): () => void {
  const { pen, card, framing, w, h } = scene;
  const standing = [...castOf(card, framing)].sort((a, b) => b.behind - a.behind);
  const overShoulder = framing.size === 'over_shoulder' && standing.length > 1;
  const front = overShoulder ? standing[0] : undefined;
  const tags: Tag[] = [];
  const actor = actorOf(card, standing);
  const holder =
    framing.size === 'extreme_wide' || propsIn(card.props, '', 1).length === 0 ? undefined : (actor ?? standing.at(-1));
  for (const person of standing) {
    if (person === front) continue;
    const drawn = drawPerson(
      { ...scene, count: standing.length },
      overShoulder ? { ...person, x: 0.6, facing: -1 } : person,
      { acts: person === actor, holds: person === holder },
    );
    tags.push(tagFor(person, drawn, scene));
  }
  if (front) tags.push(shoulder(scene, front));
  return () => {
    for (const tag of tags) drawNameTag(pen, tag.name, tag.x, Math.max(46, Math.min(h - 32, tag.y)), w);
  };
}

/** Where the action speaks of this person, by any part of the name; -1 where it does not. */
function mention(card: Card, name: string): number {
  const text = card.action.normalize('NFC').toUpperCase();
  const parts = name
    .normalize('NFC')
    .toUpperCase()
    .split(/[\s,.]+/u)
    .filter((part) => part.length > 1);
  return parts.reduce((first, part) => {
    const at = text.indexOf(part);
    return at < 0 ? first : first < 0 ? at : Math.min(at, first);
  }, -1);
}

/** The one whom the action is about: named first in it, else the subject, else the one who is alone. */
function actorOf(card: Card, standing: readonly Standing[]): Standing | undefined {
  const named = standing
    .filter(({ person }) => mention(card, person.name) >= 0)
    .sort((a, b) => mention(card, a.person.name) - mention(card, b.person.name));
  return (
    named[0] ??
    standing.find(({ person }) => same(person.name, card.subject)) ??
    (standing.length === 1 ? standing[0] : undefined)
  );
}

function drawPerson(
  scene: PeopleScene & { readonly count: number },
  standing: Standing,
  part: { readonly acts: boolean; readonly holds: boolean },
): DrawnFigure {
  const { pen, card, framing, light, w, h, footY } = scene;
  const { person } = standing;
  const look = lookOf(person.name, person.description);
  const random = randomFrom(`pose:${person.name}:${card.action}:${card.subject}`);
  const close = framing.crown !== undefined;
  const pose = poseOf(part.acts ? card.action : '', part.holds, random);
  const expression = expressionOf(
    person.expression || (part.acts ? `${card.action} ${card.mood}` : card.mood),
    same(card.speaker, person.name) && card.caption !== '',
  );
  // In a narrow picture people get smaller rather than stand in front of each other.
  const room = Math.min(1, w / h / (scene.count > 1 ? 1.3 : 0.85));
  const height = h * framing.figureHeight * (1 - standing.behind * 0.25) * room;
  const size = height * look.stature;
  // In close shots heads are level with the lens: a child's, too, is not cut off by the frame.
  const level = h * (framing.crown ?? 0) + size + (1 - look.stature) * h * 0.12;
  // Whoever is so small that the feet would show stands on the lower edge.
  const feet = close ? Math.max(level, h * 0.97) : footY - standing.behind * h * 0.07;
  const x = w * standing.x;
  const upright = close && pose.legs !== 'sit' ? pose : close ? { ...pose, legs: 'stand' as const } : pose;
  if (!close) groundShadow(pen, x, feet, size, light);
  if (upright.legs === 'sit') stool(pen, x, feet, size);
  const drawn = figure(pen, look, upright, expression, { x, footY: feet, height, facing: standing.facing });
  if (part.holds) {
    const [paint] = propsIn(card.props, '', 1);
    paint?.(pen, drawn.hand[0], drawn.hand[1] - drawn.head * 0.12, drawn.head * 0.5);
  }
  return drawn;
}

function stool(pen: Pen, x: number, y: number, size: number): void {
  const seat = y - size * 0.34;
  for (const leg of [-0.1, 0.1])
    pen.line([x + size * leg, seat], [x + size * leg * 1.3, y], { width: size * 0.024, colour: '#6b4f3b' });
  pen.rect(x - size * 0.13, seat - size * 0.02, size * 0.26, size * 0.04, '#8f6b4e', { width: 1.4 });
}

function groundShadow(pen: Pen, x: number, y: number, size: number, light: Light): void {
  pen.ctx.globalAlpha = 0.22;
  const long = size * (0.16 + light.shadow * 0.2);
  pen.ellipse(x + long * 0.5, y, long, size * 0.035, darker('#4a4652', 0.3));
  pen.ctx.globalAlpha = 1;
}

function tagFor({ person }: Standing, drawn: DrawnFigure, scene: PeopleScene): Tag {
  const { framing, h } = scene;
  if (framing.crown === undefined) return { name: person.name, x: drawn.crown[0], y: drawn.crown[1] - 34 };
  return { name: person.name, x: drawn.crown[0], y: h - 40 };
}

/** The dark shoulder and head of the one from whose side we look. */
function shoulder(scene: PeopleScene, { person }: Standing): Tag {
  const { pen, w, h } = scene;
  const look = lookOf(person.name, person.description);
  const x = w * 0.2;
  const top = h * 0.2;
  const head = h * 0.42;
  const dark = darker(look.top, 0.5);
  pen.outline(
    [
      [x - head * 1.2, h * 1.3],
      [x - head * 0.95, h * 0.78],
      [x - head * 0.3, top + head * 1.05],
      [x + head * 0.3, top + head * 1.05],
      [x + head * 0.92, h * 0.82],
      [x + head * 1.12, h * 1.3],
    ],
    dark,
    { width: 3 },
  );
  if (look.kind === 'mailbox')
    pen.outline(
      [
        [x - head * 0.7, h * 1.2],
        [x - head * 0.7, top + 20],
        [x, top - head * 0.15],
        [x + head * 0.7, top + 20],
        [x + head * 0.7, h * 1.2],
      ],
      '#7d2f2a',
      { width: 3 },
    );
  else {
    pen.shape(
      [
        [x - head * 0.16, top + head * 0.8],
        [x + head * 0.16, top + head * 0.8],
        [x + head * 0.24, top + head * 1.2],
        [x - head * 0.24, top + head * 1.2],
      ],
      darker(look.skin, 0.45),
      { width: 2 },
    );
    for (const side of [-1, 1])
      pen.ellipse(x + side * head * 0.4, top + head * 0.58, head * 0.08, head * 0.12, darker(look.skin, 0.4), {
        width: 2.4,
      });
    const down = look.hair === 'long' || look.hair === 'wavy' ? 1.5 : look.hair === 'bob' ? 1.05 : 0.86;
    const cover = look.hair === 'bald' ? darker(look.skin, 0.42) : darker(look.hairColour, 0.4);
    pen.outline(
      [
        [x - head * 0.43, top + head * 0.5],
        [x - head * 0.34, top + head * 0.05],
        [x, top - head * 0.1],
        [x + head * 0.34, top + head * 0.05],
        [x + head * 0.43, top + head * 0.5],
        [x + head * 0.34, top + head * down],
        [x, top + head * (down + 0.04)],
        [x - head * 0.34, top + head * down],
      ],
      cover,
      { width: 3 },
    );
    for (const dx of [-0.2, 0, 0.2])
      pen.curve(
        [
          [x + head * dx * 0.4, top],
          [x + head * dx, top + head * 0.4],
          [x + head * dx * 1.1, top + head * 0.75],
        ],
        { width: 1.6, alpha: 0.5 },
      );
  }
  return { name: person.name, x, y: h - 40 };
}
