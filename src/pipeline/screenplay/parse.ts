import { AppError } from '../../domain/errors';
import { isCaselessCue } from './cue';
import { normaliseText } from './decode';
import { readLabelLine, readSpeaker } from './label-line';
import { languageOf } from './language';
import { withoutCommentary, withoutEmphasis } from './markup';
import { readParagraph, type KnownNames } from './paragraph';
import { createSceneIds } from './scene-id';
import type { Scene, SceneElement, Screenplay } from './screenplay';
import { readSetting } from './setting';
import { paragraphsOf, splitScenes, type RawScene } from './split-scenes';
import { splitTitlePage } from './title-page';

/** Headings made from a scene's first words are at most this long, in characters. */
const FIRST_WORDS = 48;

/**
 * Reads a screenplay (spec 00, "The input"): Fountain, webtoon scripts, or plain text without headings, in any language. Pure: the same
 * text gives the same scenes. `fallbackTitle` is taken where the text names no title. Throws screenplay.empty where there is no scene.
 */
export function parseScreenplay(text: string, fallbackTitle: string): Screenplay {
  const lines = withoutCommentary(normaliseText(text)).split('\n');
  const page = splitTitlePage(lines);
  const known = knownNames(page.rest);
  const read = splitScenes(page.rest)
    .map((raw) => ({ raw, elements: paragraphsOf(raw.lines).flatMap((paragraph) => readParagraph(paragraph, known)) }))
    .filter(({ raw, elements }) => raw.heading !== null || elements.some((element) => element.kind !== 'transition'));
  if (read.length === 0)
    throw new AppError('screenplay.empty', 'The screenplay holds no scene: no heading, no action and no dialogue.');
  return {
    title: page.title !== '' ? page.title : fallbackTitle.normalize('NFC'),
    language: languageOf(page.rest.join('\n')),
    scenes: toScenes(read),
  };
}

function toScenes(read: readonly { raw: RawScene; elements: SceneElement[] }[]): Scene[] {
  const idOf = createSceneIds();
  let timeBefore = '';
  return read.map(({ raw, elements }, index) => {
    const heading = raw.heading ? withoutEmphasis(raw.heading.heading) : firstWords(elements);
    const setting = raw.heading && !raw.heading.bare ? readSetting(heading) : NOWHERE;
    const timeOfDay = setting.timeOfDay !== '' || !setting.continued ? setting.timeOfDay : timeBefore;
    timeBefore = timeOfDay;
    return {
      index,
      // A bare number is position, so it is no part of the id.
      id: idOf(raw.heading?.bare ? '' : heading, elements),
      ...(raw.heading?.number === undefined ? {} : { number: raw.heading.number }),
      heading,
      interior: setting.interior,
      place: setting.place,
      timeOfDay,
      elements,
    };
  });
}

const NOWHERE = { interior: 'UNKNOWN', place: '', timeOfDay: '', continued: false } as const;

function firstWords(elements: readonly SceneElement[]): string {
  const first = elements.find((element) => element.kind !== 'transition') ?? elements[0]!;
  const text = first.text.replace(/\s+/g, ' ').trim();
  const characters = [...text];
  if (characters.length <= FIRST_WORDS) return text;
  const cut = characters.slice(0, FIRST_WORDS).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > FIRST_WORDS / 2 ? cut.slice(0, space) : cut}…`;
}

/** A first look over the whole text: names are known by standing more than once. */
function knownNames(lines: readonly string[]): KnownNames {
  const labels = new Map<string, number>();
  const caselessCues = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const line of lines) {
    const label = readLabelLine(line);
    if (label) count(labels, label.speaker);
  }
  for (const paragraph of paragraphsOf(lines))
    if (paragraph.length > 1 && isCaselessCue(paragraph[0]!)) count(caselessCues, readSpeaker(paragraph[0]!).name);
  return { labels, caselessCues };
}
