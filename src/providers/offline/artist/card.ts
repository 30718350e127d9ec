import type { Json } from '../../../domain/json';

export interface CardCharacter {
  readonly name: string;
  readonly position: string;
  readonly description: string;
  /** What the face shows, where the card says it. */
  readonly expression: string;
}

/** A request's card with every field there: what is missing or odd is empty. */
export interface Card {
  readonly shotSize: string;
  readonly camera: string;
  readonly subject: string;
  readonly characters: readonly CardCharacter[];
  readonly props: readonly string[];
  readonly place: string;
  readonly interior: string;
  readonly timeOfDay: string;
  readonly mood: string;
  readonly palette: string;
  readonly caption: string;
  readonly speaker: string;
  readonly action: string;
  readonly sceneHeading: string;
  readonly description: string;
}

/** Reads a card of any shape, its words in one Unicode form (case C50); never throws. A card without any word is replaced by the prompt. */
export function readCard(card: Json, prompt: string): Card {
  const fields = isRecord(card) ? card : {};
  const text = (key: string): string => textOf(fields[key]);
  const read: Card = {
    shotSize: text('shot_size'),
    camera: text('camera') || text('camera_direction'),
    subject: text('subject'),
    characters: listOf(fields.characters).flatMap(characterOf).slice(0, 12),
    props: listOf(fields.props)
      .map((prop) => (isRecord(prop) ? textOf(prop.name) : textOf(prop)))
      .filter((name) => name !== '')
      .slice(0, 8),
    place: text('place') || text('name'),
    interior: text('interior'),
    timeOfDay: text('time_of_day'),
    mood: text('mood'),
    palette: text('palette'),
    caption: text('caption'),
    speaker: text('speaker'),
    action: text('action'),
    sceneHeading: text('scene_heading'),
    description: text('description'),
  };
  const empty = wordsOf(read).replace(/[. ]/g, '') === '' && read.characters.length === 0 && read.caption === '';
  return empty ? { ...read, subject: prompt.slice(0, 400), description: prompt.slice(0, 2000) } : read;
}

/** All words of a card, for keywords. */
export function wordsOf(card: Card): string {
  return [
    card.sceneHeading,
    card.place,
    card.subject,
    card.action,
    card.description,
    card.mood,
    card.palette,
    ...card.props,
  ].join(' . ');
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function listOf(value: Json | undefined): readonly Json[] {
  if (isList(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value.slice(0, 4000).normalize('NFC');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value))
    return value
      .map((entry) => textOf(entry))
      .filter((entry) => entry !== '')
      .join(', ')
      .slice(0, 4000);
  return '';
}

function characterOf(value: Json): CardCharacter[] {
  if (!isRecord(value)) {
    const name = textOf(value);
    return name === '' ? [] : [{ name, position: '', description: '', expression: '' }];
  }
  const name = textOf(value.name);
  return name === ''
    ? []
    : [
        {
          name,
          position: textOf(value.position),
          description: textOf(value.description),
          expression: textOf(value.expression),
        },
      ];
}
