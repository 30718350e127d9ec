/** What a pronoun tells of someone: English, German, French and Spanish; other languages leave it to the context. */
export type Pronoun = 'he' | 'she';

const HE = /\b(he|him|his|er|ihn|ihm|il|él)\b/iu;
const SHE = /\b(she|her|hers|elle|ella)\b/iu;

/** The first pronoun of a text, or null. */
export function pronounIn(text: string): Pronoun | null {
  const he = HE.exec(text)?.index ?? Infinity;
  const she = SHE.exec(text)?.index ?? Infinity;
  if (he === she) return null;
  return he < she ? 'he' : 'she';
}

/** Which pronoun the actions use of whom: where an action names one person only, and a pronoun follows. */
export function pronounsOf(
  actions: readonly string[],
  namedIn: (action: string) => readonly string[],
): ReadonlyMap<string, Pronoun> {
  const votes = new Map<string, number>();
  for (const action of actions) {
    const named = namedIn(action);
    const pronoun = named.length === 1 ? pronounIn(action) : null;
    if (pronoun) votes.set(named[0]!, (votes.get(named[0]!) ?? 0) + (pronoun === 'he' ? 1 : -1));
  }
  return new Map([...votes].flatMap(([name, vote]) => (vote === 0 ? [] : [[name, vote > 0 ? 'he' : 'she'] as const])));
}
