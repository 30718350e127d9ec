import { foldName } from '../content-labels';
import type { Screenplay } from '../screenplay/screenplay';
import type { WorldGuideAnswer } from './prompt';
import type { WorldGuide } from './schema';

/**
 * The guide from a model's answer: names composed and once each, and every place of a heading there, so that no scene is left without a
 * background because a model forgot it. Pure.
 */
export function worldGuideFromAnswer(answer: WorldGuideAnswer, screenplay: Screenplay): Omit<WorldGuide, 'failed'> {
  const fromHeadings = screenplay.scenes.map((scene) => ({
    name: scene.place,
    interior: scene.interior,
    description: '',
  }));
  const characters = onceEach(answer.characters).map((character) => ({
    ...character,
    aliases: onceEach(character.aliases.map((name) => ({ name })))
      .map((alias) => alias.name)
      .filter((alias) => foldName(alias) !== foldName(character.name)),
  }));
  return {
    title: screenplay.title,
    language: screenplay.language,
    setting: answer.setting.trim(),
    era: answer.era.trim(),
    tone: answer.tone.trim(),
    palette: answer.palette.map((colour) => colour.trim()).filter(Boolean),
    characters,
    places: onceEach([...answer.places, ...fromHeadings]),
    props: onceEach(answer.props),
  };
}

function onceEach<T extends { readonly name: string }>(named: readonly T[]): T[] {
  const byName = new Map<string, T>();
  for (const one of named) {
    const name = one.name.normalize('NFC').replace(/\s+/g, ' ').trim();
    if (name !== '' && !byName.has(foldName(name))) byName.set(foldName(name), { ...one, name });
  }
  return [...byName.values()];
}
