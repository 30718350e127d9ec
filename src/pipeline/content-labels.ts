import { hashOf } from '../hash';

/**
 * Labels that a model echoes, made from content: a thing inserted before does not rename the others. Equal contents get `-2`, `-3` in
 * their order, since then they alone are not told apart by what they are.
 */
export function contentLabels(contents: readonly unknown[]): string[] {
  const seen = new Map<string, number>();
  return contents.map((content) => {
    const label = hashOf(content).slice(0, 8);
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label}-${count}`;
  });
}

/** How names are compared: composed, without case, single blanks (spec 00 names may come in two Unicode forms). */
export function foldName(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}
