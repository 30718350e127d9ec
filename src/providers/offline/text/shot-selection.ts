import type { Json } from '../../../domain/json';
import { beatsOf, namedIn, type Beat, type Names } from './beats';
import { cameraOf, openingSize, sizeOf, type Size } from './framing';
import { pronounsOf } from './pronouns';
import { actionsOf, inputAs, isSpeech, type StoryScene } from './story';
import { lightIn } from './words/light';
import { moodOf } from './words/moods';
import { placeIn } from './words/places';

interface SelectionInput {
  readonly characters: Names['characters'];
  readonly places: readonly string[];
  readonly props: readonly string[];
  readonly scenes: readonly StoryScene[];
}

/** A screenplay with more scenes than this gets fewer shots for each. */
const LONG_SCENES = 30;

/** From so many moments on, a scene of a long screenplay has its second shot in the first draft, too. */
const RICH_SCENE_BEATS = 11;

/** What the opening of a scene has before its other moments, in a long screenplay: it shows where we are. */
const OPENING_WEIGHT = 1.5;

/** The shots of every scene as the offline writer chooses them. Pure. */
export function selectShots(input: Json): Json {
  const { characters, places, props, scenes } = inputAs<SelectionInput>(input);
  const names: Names = {
    characters,
    props,
    pronouns: pronounsOf(scenes.flatMap(actionsOf), (action) => namedIn(action, characters)),
  };
  const long = scenes.length > LONG_SCENES;
  return {
    scenes: scenes.map((scene) => {
      const text = scene.text.map((line) => (isSpeech(line) ? line.says : line.action)).join('\n');
      const place = scene.place === '' ? (placeIn(text)?.name ?? '') : scene.place;
      const timeOfDay = scene.time_of_day === '' ? (lightIn(text)?.time ?? '') : scene.time_of_day;
      return {
        scene: scene.scene ?? '',
        mood: moodOf(text, timeOfDay),
        time_of_day: timeOfDay,
        place: places.find((name) => name.toLowerCase() === place.toLowerCase()) ?? '',
        shots: shotsOf(scene, beatsOf(scene, names), place, long),
      };
    }),
  };
}

function shotsOf(scene: StoryScene, beats: readonly Beat[], place: string, long: boolean): Json[] {
  const opening = beats[0];
  const chosen = choose(beats, long);
  const on = switchedOn(chosen, beats.length, long);
  const shots: Json[] = [];
  let before: Size | undefined;
  for (const [ordinal, beat] of chosen.entries()) {
    const isOpening = ordinal === 0;
    const size = isOpening ? openingSize(scene, opening) : sizeOf(beat, before);
    shots.push(toShot(beat, size, place, on.has(beat), isOpening));
    before = size;
  }
  if (shots.length > 0) return shots;
  // A heading without text is still a picture of its place.
  const empty: Beat = {
    kind: 'action',
    action: scene.heading,
    caption: '',
    speaker: '',
    how: '',
    characters: [],
    props: [],
    weight: 1,
  };
  return [toShot(empty, openingSize(scene, undefined), place, true, true)];
}

/** The first moment, and of the others those that carry most, in story order. */
function choose(beats: readonly Beat[], long: boolean): Beat[] {
  const wanted = long ? (beats.length < 3 ? 1 : 2) : Math.min(4, Math.max(1, beats.length));
  const others = beats
    .slice(1)
    .map((beat, at, all) => ({ beat, weight: beat.weight + (at === all.length - 1 ? 1.5 : 0) }));
  const best = new Set(
    [...others]
      .sort((a, b) => b.weight - a.weight)
      .slice(0, wanted - 1)
      .map(({ beat }) => beat),
  );
  return beats.filter((beat, at) => at === 0 || best.has(beat));
}

/** The first draft leaves out the weakest of four shots; of a long screenplay it shows one shot a scene, and two of the richest. */
function switchedOn(chosen: readonly Beat[], beatCount: number, long: boolean): Set<Beat> {
  const value = (beat: Beat): number => beat.weight + (beat === chosen[0] ? OPENING_WEIGHT : 0);
  const ranked = [...chosen].sort((a, b) => value(b) - value(a));
  if (long) return new Set(beatCount >= RICH_SCENE_BEATS ? ranked.slice(0, 2) : ranked.slice(0, 1));
  return new Set(chosen.length < 4 ? chosen : [chosen[0]!, ...ranked.filter((beat) => beat !== chosen[0]).slice(0, 2)]);
}

function toShot(beat: Beat, size: Size, place: string, on: boolean, isOpening: boolean): Json {
  const characters =
    size === 'insert'
      ? []
      : size === 'close-up' || size === 'extreme close-up' || size === 'medium close-up'
        ? beat.characters.slice(0, 1)
        : beat.characters;
  return {
    size,
    camera: cameraOf(size, beat.action, beat.caption),
    subject: subjectOf(beat, size, characters, place, isOpening),
    characters: [...characters],
    props: [...beat.props],
    action: beat.action,
    caption: beat.caption,
    speaker: beat.speaker,
    on,
  };
}

function subjectOf(beat: Beat, size: Size, characters: readonly string[], place: string, isOpening: boolean): string {
  const prop = beat.props[0];
  if (size === 'insert' && prop !== undefined) return prop;
  if (isOpening && place !== '') return characters.length > 0 ? `${place}, with ${characters.join(' and ')}` : place;
  if (characters.length > 0)
    return prop !== undefined && beat.kind === 'action'
      ? `${characters.join(' and ')} with ${prop}`
      : characters.join(' and ');
  return prop ?? (place !== '' ? place : 'the moment itself');
}
