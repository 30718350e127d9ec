import type { Json } from '../../../domain/json';
import { NAME_SEPARATOR, NOBODY, promptLine, settingOf } from './prompt-lines';
import { inputAs, type StoryScene } from './story';
import { LIGHT, lightIn } from './words/light';
import { mentionAt } from './words/mentions';

interface SceneDetailInput {
  readonly style: string;
  readonly scene: StoryScene & { readonly mood: string };
  readonly cast: readonly { readonly name: string }[];
  readonly shots: readonly ShotContent[];
}

interface ShotContent {
  readonly shot: string;
  readonly size: string;
  readonly camera: string;
  readonly subject: string;
  readonly characters: readonly string[];
  readonly props: readonly string[];
  readonly action: string;
}

/** Capitalised words that are no names. */
const NO_NAME =
  /^(?:I|I'm|I'll|I've|Mr|Mrs|Ms|Dr|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|English|French|German|Korean|God|OK|TV)$/;

/**
 * The prompts of a scene's shots as a hasty writer writes them. The mistakes are honest ones, each of a kind that the reviewer looks for:
 * light and inside-or-outside come from a word in the action instead of the heading, and whoever the action names stands in the frame, of the
 * cast or not. Pure.
 */
export function writeScenePrompts(input: Json): Json {
  const { style, scene, cast, shots } = inputAs<SceneDetailInput>(input);
  return {
    variations: shots.map((shot) => {
      const action = shot.action.replace(/\s+/g, ' ').trim();
      const light = lightIn(action)?.time ?? scene.time_of_day;
      const inFrame = [...new Set([...shot.characters, ...peopleIn(action, cast, scene, shot)])];
      const lines = [
        `${shot.size[0]!.toUpperCase()}${shot.size.slice(1)} shot, ${shot.camera}: ${shot.subject}.`,
        action,
        promptLine('frame', inFrame.length === 0 ? NOBODY : inFrame.join(NAME_SEPARATOR)),
        shot.props.length > 0 ? `Props: ${shot.props.join(', ')}.` : '',
        promptLine('setting', settingOf(scene.place, interiorIn(action) ?? scene.interior)),
        LIGHT[light] === undefined ? '' : promptLine('light', LIGHT[light]),
        `Mood: ${scene.mood}. Style: ${style}.`,
      ];
      return { shot: shot.shot, t2i_prompt: lines.filter(Boolean).join('\n') };
    }),
  };
}

/** Inside or outside, as a word in the action suggests it; null where none does. */
function interiorIn(action: string): string | null {
  if (/\b(outside|across the water|on the horizon|in the sky|in the street)\b|창밖|바깥|밖에서/iu.test(action))
    return 'EXT';
  if (/\b(inside|indoors)\b|안쪽|실내/iu.test(action)) return 'INT';
  return null;
}

/** Of the cast whoever is named, and every capitalised word inside a sentence that is neither place nor prop. */
function peopleIn(action: string, cast: SceneDetailInput['cast'], scene: StoryScene, shot: ShotContent): string[] {
  const named = cast.filter(({ name }) => mentionAt(action, name) >= 0).map(({ name }) => name);
  const known = [scene.place, ...shot.props, ...cast.map(({ name }) => name)].join(' ');
  const words = [...action.matchAll(/(?<=[\p{Ll},;] )(\p{Lu}\p{Ll}{2,})(?![\p{L}'’-])/gu)].map((match) => match[1]!);
  return [...named, ...words.filter((word) => !NO_NAME.test(word) && mentionAt(known, word) < 0)];
}
