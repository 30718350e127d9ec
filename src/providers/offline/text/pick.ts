import { hashOf } from '../../../hash';

/** One of a list, chosen by content: no clock, no random, and nothing that a position could change. */
export function pick<T>(choices: readonly [T, ...T[]], ...content: readonly string[]): T {
  return choices[Number.parseInt(hashOf(content).slice(0, 8), 16) % choices.length] ?? choices[0];
}

/** Of several texts one that does not depend on their order, so that one more at the front rarely changes it; '' of none. */
export function pickText(texts: readonly string[]): string {
  return [...texts].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))[0] ?? '';
}
