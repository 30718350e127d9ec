import type { Json } from '../../../domain/json';
import { LIGHT, lightIn } from './words/light';
import { inputAs } from './story';

interface EntityInput {
  readonly kind: 'character' | 'place' | 'prop';
  readonly name: string;
  readonly description: string;
  readonly interior?: string;
  readonly era: string;
  readonly style: string;
}

/**
 * An entity's prompt as a hasty writer writes it. Its mistake is an honest one: a light that the description happens to mention goes into
 * the place's reference, where it would contradict every scene at another time; the reviewer finds it. Pure.
 */
export function writeEntityPrompt(input: Json): Json {
  const entity = inputAs<EntityInput>(input);
  return { t2i_prompt: linesOf(entity).join('\n') };
}

function linesOf({ kind, name, description, interior, era, style }: EntityInput): string[] {
  const style_ = `Style: ${style}, ${era}.`;
  switch (kind) {
    case 'character':
      return [
        `Character reference of ${name}: full figure, neutral pose, plain background.`,
        description === '' ? '' : `Looks: ${description}.`,
        style_,
      ].filter(Boolean);
    case 'prop':
      return [
        `Prop reference of ${name}: single object, plain background.`,
        description === '' ? '' : `Looks: ${description}.`,
        style_,
      ].filter(Boolean);
    case 'place': {
      const light = lightIn(description);
      return [
        `Place reference of ${name}, ${interior === 'INT' ? 'interior' : 'exterior'}, empty, no people.`,
        description === '' ? '' : `Looks: ${description.replace(/\s+/g, ' ')}`,
        light === null ? '' : `Light: ${LIGHT[light.time]!}.`,
        style_,
      ].filter(Boolean);
    }
  }
}
