import { isUnseen, mannerOf } from './cast';
import { isRemark, isSpeech, leadingSentences, narrationIn, shorten, type StoryLine, type StoryScene } from './story';
import { hasCase, mentionAt } from './words/mentions';
import { propsIn } from './words/props';
import { pronounIn, type Pronoun } from './pronouns';

/** A moment of a scene that could be a shot. */
export interface Beat {
  readonly kind: 'action' | 'speech';
  readonly action: string;
  readonly caption: string;
  readonly speaker: string;
  /** How the line is said, as the script has it; '' where it does not. */
  readonly how: string;
  /** Those in the picture, by their names. */
  readonly characters: readonly string[];
  readonly props: readonly string[];
  /** How much the moment carries; more is better. */
  readonly weight: number;
}

export interface Names {
  readonly characters: readonly { readonly name: string; readonly aliases: readonly string[] }[];
  readonly props: readonly string[];
  /** Which pronoun the script uses of whom, where it tells. */
  readonly pronouns: ReadonlyMap<string, Pronoun>;
}

/** Longest action and caption of a shot, in characters. */
const ACTION_LIMIT = 180;
const CAPTION_LIMIT = 140;

/** The moments of a scene in story order. Pure. */
export function beatsOf(scene: StoryScene, names: Names): Beat[] {
  const beats: Beat[] = [];
  let last: string[] = [];
  for (let at = 0; at < scene.text.length;) {
    const line = scene.text[at]!;
    if (!isSpeech(line)) {
      at += 1;
      const beat = actionBeat(line.action, names, last);
      if (!beat) continue;
      beats.push(beat);
      last = recent(beat, last);
      continue;
    }
    const exchange = exchangeAt(scene.text, at);
    at += exchange.length;
    const beat = speechBeat(exchange, names, last);
    beats.push(beat);
    last = recent(beat, last);
  }
  return beats;
}

/** Those seen last come first. */
function recent(beat: Beat, last: readonly string[]): string[] {
  return [...new Set([...beat.characters, ...last])];
}

/** Whom a pronoun means: of those seen last the first whom the script never calls by the other one. */
function meantBy(pronoun: Pronoun | null, last: readonly string[], pronouns: Names['pronouns']): string[] {
  if (pronoun === null) return [];
  return last.filter((name) => (pronouns.get(name) ?? pronoun) === pronoun).slice(0, 1);
}

function actionBeat(action: string, names: Names, last: readonly string[]): Beat | null {
  if (isRemark(action)) return null;
  const narration = narrationIn(action);
  if (narration)
    return {
      kind: 'action',
      action: '',
      caption: shorten(narration.says, CAPTION_LIMIT),
      speaker: narration.speaker,
      how: '',
      characters: [],
      props: [],
      weight: 3,
    };
  const named = namedIn(action, names.characters);
  const characters = named.length === 0 ? meantBy(pronounIn(action), last, names.pronouns) : named;
  const props = propsIn(action).flatMap(
    (found) => names.props.find((prop) => prop === found.name || propsIn(prop)[0]?.english === found.english) ?? [],
  );
  const emphasis = (/[!！—]/u.test(action) ? 1 : 0) + (/클로즈업|close ?-?up|close on|insert/iu.test(action) ? 2 : 0);
  const weight = 2 + Math.min(characters.length, 2) + Math.min(props.length, 2) * 1.2 + emphasis;
  return {
    kind: 'action',
    action: leadingSentences(action, ACTION_LIMIT),
    caption: '',
    speaker: '',
    how: '',
    characters: characters.slice(0, 4),
    props: [...new Set(props)].slice(0, 4),
    weight,
  };
}

type Speech = Extract<StoryLine, { speaker: string }>;

/** Up to three lines between at most two people. */
function exchangeAt(text: readonly StoryLine[], at: number): Speech[] {
  const exchange: Speech[] = [];
  for (const line of text.slice(at, at + 3)) {
    if (!isSpeech(line)) break;
    const speakers = new Set([...exchange, line].map((one) => one.speaker));
    if (speakers.size > 2) break;
    exchange.push(line);
  }
  return exchange;
}

function speechBeat(exchange: readonly Speech[], names: Names, last: readonly string[]): Beat {
  const line = [...exchange].sort((a, b) => strength(b) - strength(a))[0]!;
  const seen = [...exchange]
    .sort((a, b) => Number(b === line) - Number(a === line))
    .flatMap((one) => (isUnseen(one.how) ? [] : (castName(one.speaker, names) ?? [])));
  const characters = [...new Set(seen)];
  const listener = characters.find((name) => name !== line.speaker) ?? last.find((name) => name !== line.speaker);
  if (listener !== undefined && !characters.includes(listener) && characters.length < 2) characters.push(listener);
  return {
    kind: 'speech',
    action: sayingOf(line, listener),
    caption: shorten(line.says, CAPTION_LIMIT),
    speaker: line.speaker,
    how: line.how ?? '',
    characters: characters.slice(0, 2),
    props: propsIn(line.says)
      .flatMap((found) => (names.props.includes(found.name) ? [found.name] : []))
      .slice(0, 1),
    weight: 3 + Math.min(strength(line), 4) + (exchange.length > 1 ? 0.5 : 0),
  };
}

/** Lines that are said in a special way, or that ask or cry out, and are not too long to read, carry more. */
function strength({ says, how }: Speech): number {
  const length = [...says].length;
  return (
    (how ? 1.5 : 0) +
    (/[?!？！…]/u.test(says) ? 1 : 0) +
    (length >= 12 && length <= 90 ? 1 : 0) +
    Math.min(length, 60) / 60
  );
}

function sayingOf({ speaker, how, says }: Speech, listener: string | undefined): string {
  const manner = mannerOf(how) === '' ? '' : `, ${mannerOf(how)}`;
  const korean = /\p{Script=Hangul}/u.test(`${speaker}${says}`);
  if (isUnseen(how)) {
    if (korean) return listener ? `${speaker}의 목소리, 듣고 있는 ${listener}.` : `${speaker}의 목소리.`;
    return listener ? `${listener} listens; ${speaker} is heard${manner}.` : `${speaker} is heard${manner}.`;
  }
  if (korean) return listener ? `${speaker}, ${listener}에게 말한다${manner}.` : `${speaker}, 말한다${manner}.`;
  return listener ? `${speaker} speaks to ${listener}${manner}.` : `${speaker} speaks${manner}.`;
}

/** The cast named in a text, in the order of their mention. */
export function namedIn(text: string, characters: Names['characters']): string[] {
  return characters
    .map(({ name, aliases }) => ({
      name,
      at: Math.min(...[name, ...aliases].map((one) => mentionAt(text, one)).map((at) => (at < 0 ? Infinity : at))),
    }))
    .filter(({ at }) => at < Infinity)
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

function castName(speaker: string, { characters }: Names): string | undefined {
  const wanted = speaker.toLowerCase();
  const found = characters.find(({ name, aliases }) => [name, ...aliases].some((one) => one.toLowerCase() === wanted));
  if (found) return found.name;
  return hasCase(speaker) ? characters.find(({ name }) => mentionAt(speaker, name) >= 0)?.name : undefined;
}
