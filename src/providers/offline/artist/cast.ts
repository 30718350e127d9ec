import type { Card, CardCharacter } from './card';
import type { Framing } from './framing';

/** A person with a place in the picture, x as a share of its width. */
export interface Standing {
  readonly person: CardCharacter;
  readonly x: number;
  readonly facing: -1 | 0 | 1;
  /** How far behind, 0 to 1: smaller and higher up. */
  readonly behind: number;
}

const UNSEEN = /narrat|voice.?over|\bv\.?o\.?\b|off.?screen|\bo\.?s\.?\b|내레이션|나레이션|해설|자막/i;

/** Who stands where: the position says it, else they share the width. Close shots show only the one who matters. */
export function castOf(card: Card, framing: Framing): Standing[] {
  const seen = card.characters.filter(({ name, position }) => !UNSEEN.test(name) && !UNSEEN.test(position));
  const people = seen.length <= framing.people ? seen : [...byWeight(seen, card)].slice(0, framing.people);
  const slots = spread(people.length, framing);
  const wanted = people.map((person, index) => ({ person, order: side(person.position) ?? 0, index }));
  // Left-hand positions get the left slots; those without a word keep their order in between.
  const ordered = [...wanted].sort((a, b) => a.order - b.order || a.index - b.index);
  return ordered.map(({ person, order }, index) => {
    const slot = slots[index] ?? 0.5;
    const alone = ordered.length === 1;
    const x = alone && order !== 0 ? 0.5 + order * 0.16 : slot;
    return {
      person,
      x,
      facing: alone ? aloneFacing(order, framing) : x < 0.5 ? 1 : -1,
      behind: /back|behind|뒤/i.test(person.position) ? 0.5 : 0,
    };
  });
}

function aloneFacing(order: number, framing: Framing): -1 | 0 | 1 {
  if (framing.size === 'extreme_close') return 0;
  return order > 0 ? -1 : 1;
}

function spread(count: number, framing: Framing): number[] {
  if (count <= 1) return [framing.size === 'over_shoulder' ? 0.62 : framing.size === 'extreme_close' ? 0.5 : 0.47];
  const width = framing.size === 'extreme_wide' ? 0.3 : Math.min(0.66, 0.2 + count * 0.12);
  return Array.from({ length: count }, (_, index) => 0.5 - width / 2 + (width * index) / (count - 1));
}

function side(position: string): number | undefined {
  if (/left|왼|좌/i.test(position)) return -1;
  if (/right|오른|우측/i.test(position)) return 1;
  return undefined;
}

function byWeight(people: readonly CardCharacter[], card: Card): CardCharacter[] {
  const weight = ({ name }: CardCharacter): number =>
    (same(name, card.speaker) ? 2 : 0) +
    (card.subject !== '' && card.subject.normalize('NFC').toUpperCase().includes(name.normalize('NFC').toUpperCase())
      ? 1
      : 0);
  return people
    .map((person, index) => ({ person, index }))
    .sort((a, b) => weight(b.person) - weight(a.person) || a.index - b.index)
    .map(({ person }) => person);
}

/** Names are one when they differ in case or Unicode form only. */
export function same(first: string, second: string): boolean {
  return (
    first.normalize('NFC').trim().toUpperCase() === second.normalize('NFC').trim().toUpperCase() && first.trim() !== ''
  );
}
