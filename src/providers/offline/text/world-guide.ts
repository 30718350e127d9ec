import type { Json } from '../../../domain/json';
import { castOf, type CastMember } from './cast';
import { pick, pickText } from './pick';
import {
  actionsOf,
  inputAs,
  isRemark,
  isSpeech,
  leadingSentences,
  narrationIn,
  shorten,
  type StoryScene,
} from './story';
import { hasCase } from './words/mentions';
import { moodOf } from './words/moods';
import { placeIn } from './words/places';
import { propsIn } from './words/props';

interface WorldGuideInput {
  readonly title: string;
  readonly scenes: readonly StoryScene[];
}

const PALETTES = [
  ['slate blue', 'warm grey', 'copper', 'off-white'],
  ['ink black', 'moss green', 'bone', 'rust'],
  ['deep teal', 'sand', 'lamp yellow', 'charcoal'],
  ['plum', 'ash', 'pale rose', 'midnight blue'],
  ['ochre', 'storm grey', 'cream', 'brick red'],
] as const;

const HAIR = [
  'short dark hair',
  'long dark hair',
  'curly brown hair',
  'tied-back hair',
  'cropped hair',
  'wavy auburn hair',
  'straight black hair',
] as const;
const GREY = ['short grey hair', 'white hair in a knot', 'thin silver hair', 'grey curls'] as const;
const BUILD = ['slight build', 'tall and thin', 'broad shoulders', 'medium build', 'small and quick'] as const;
const CLOTHES = [
  'a heavy coat',
  'a knitted cardigan',
  'a plain jacket',
  'rolled-up sleeves',
  'a long scarf',
  'a work apron',
  'a dark suit',
] as const;

/** Moods must be shared by so many scenes to become the tone of the whole; with fewer, one scene more would change it. */
const TONE_SCENES = 3;

/** The world guide as the offline writer derives it from the screenplay. Pure. */
export function writeWorldGuide(input: Json): Json {
  const { title, scenes } = inputAs<WorldGuideInput>(input);
  const cast = castOf(scenes);
  const places = placesOf(scenes);
  return {
    setting:
      places.length === 0
        ? 'Not told by the text.'
        : `Set in and around ${places
            .slice(0, 3)
            .map((place) => place.name)
            .join(', ')}.`,
    era: eraOf(scenes),
    tone: toneOf(scenes),
    palette: [...pick<readonly string[]>(PALETTES, title)],
    characters: cast.map((member) => ({
      name: member.name,
      aliases: [...member.aliases],
      description: looksOf(member),
    })),
    places,
    props: propsOf(scenes, cast),
  };
}

function looksOf({ name, ageYears, introduction }: CastMember): string {
  const object = propsIn(name)[0];
  if (object && object.name === name.toLowerCase())
    return `a ${object.english} that moves and speaks, otherwise an everyday object`;
  const hair = ageYears !== null && ageYears >= 60 ? pick(GREY, name) : pick(HAIR, name);
  const age = ageYears === null ? 'age not told' : `${ageYears} years old`;
  return [age, introduction, hair, pick(BUILD, name, 'build'), pick(CLOTHES, name, 'clothes')]
    .filter(Boolean)
    .join(', ');
}

function placesOf(
  scenes: readonly StoryScene[],
): { name: string; interior: StoryScene['interior']; description: string }[] {
  const found = new Map<string, { name: string; interiors: Set<StoryScene['interior']>; sentences: string[] }>();
  for (const scene of scenes) {
    const guessed = scene.place === '' ? placeIn(textOf(scene)) : null;
    const name = guessed?.name ?? scene.place;
    if (name === '') continue;
    const place = found.get(name.toLowerCase()) ?? { name, interiors: new Set(), sentences: [] };
    place.interiors.add(guessed?.interior ?? scene.interior);
    const first = actionsOf(scene).find((action) => !isRemark(action) && narrationIn(action) === null);
    if (first !== undefined) place.sentences.push(leadingSentences(first, 120));
    found.set(name.toLowerCase(), place);
  }
  return [...found.values()].map(({ name, interiors, sentences }) => ({
    name,
    interior: interiors.size === 1 ? [...interiors][0]! : 'INT/EXT',
    description: pickText(sentences),
  }));
}

function textOf(scene: StoryScene): string {
  return scene.text.map((line) => (isSpeech(line) ? line.says : line.action)).join('\n');
}

function propsOf(scenes: readonly StoryScene[], cast: readonly CastMember[]): { name: string; description: string }[] {
  const people = new Set(cast.map((member) => member.name.toLowerCase()));
  const found = new Map<string, { name: string; descriptions: string[] }>();
  for (const action of scenes.flatMap(actionsOf).filter((one) => !isRemark(one)))
    for (const { name, english, at } of propsIn(action)) {
      if (people.has(name)) continue;
      const prop = found.get(english) ?? { name, descriptions: [] };
      prop.descriptions.push(describedAs(action, name, english, at));
      found.set(english, prop);
    }
  return [...found.values()].map(({ name, descriptions }) => {
    const detailed = descriptions.filter((description) => description.split(' ').length > 1);
    return { name, description: pickText(detailed.length > 0 ? detailed : descriptions) };
  });
}

/** `a dented copper kettle`: the words between article and noun. */
function describedAs(action: string, name: string, english: string, at: number): string {
  if (!hasCase(name)) return english === name ? english : `${english} (${name})`;
  const before = /(?:^|\s)(?:an?|the|his|her|their|its|one)\s+((?:[\p{Ll}-]+\s){1,3})$/iu.exec(action.slice(0, at));
  return before ? `${before[1]!}${name}` : english;
}

function eraOf(scenes: readonly StoryScene[]): string {
  const text = scenes.flatMap(actionsOf).join('\n');
  const year = /(?<!\d)(1[5-9]\d\d)(?!\d)/.exec(text)?.[1];
  if (year !== undefined && /\b(?:in|year|anno)\s+1[5-9]\d\d\b|1[5-9]\d\d년/iu.test(text)) return `around ${year}`;
  return /\b(spaceship|starship|android|robot|cyborg)\b|우주선|로봇|宇宙船/iu.test(text)
    ? 'the future'
    : 'the present day';
}

function toneOf(scenes: readonly StoryScene[]): string {
  const counts = new Map<string, number>();
  for (const scene of scenes) {
    const mood = moodOf(textOf(scene), '');
    counts.set(mood, (counts.get(mood) ?? 0) + 1);
  }
  counts.delete('quiet');
  const [mood, count] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0] ?? ['', 0];
  return count >= TONE_SCENES && count * 2 > scenes.length
    ? shorten(`${mood}, closely observed`, 60)
    : 'quiet, closely observed';
}
