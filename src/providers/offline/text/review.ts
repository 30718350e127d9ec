import type { Json } from '../../../domain/json';
import { NAME_SEPARATOR, NOBODY, readPromptLine, settingOf, withPromptLine } from './prompt-lines';
import { inputAs } from './story';
import { LIGHT, timeOfLight } from './words/light';

interface ReviewInput {
  readonly cast: readonly { readonly name: string; readonly aliases: readonly string[] }[];
  readonly entities: readonly {
    readonly item_id: string;
    readonly kind: string;
    readonly name: string;
    readonly t2i_prompt: string;
  }[];
  readonly shots: readonly {
    readonly item_id: string;
    readonly must_show: MustShow | null;
    readonly t2i_prompt: string;
  }[];
}

interface MustShow {
  readonly characters: readonly string[];
  readonly place: string;
  readonly interior: string;
  readonly time_of_day: string;
}

interface Checked {
  readonly prompt: string;
  readonly reasons: readonly string[];
}

/** Reads every prompt against what it must show, and corrects those that contradict it; right ones are left alone. Pure. */
export function reviewPrompts(input: Json): Json {
  const { cast, entities, shots } = inputAs<ReviewInput>(input);
  const known = new Set(cast.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => name.toLowerCase()));
  const checked = [
    ...entities.map((entity) => ({ itemId: entity.item_id, before: entity.t2i_prompt, after: checkEntity(entity) })),
    ...shots.flatMap((shot) =>
      shot.must_show
        ? [{ itemId: shot.item_id, before: shot.t2i_prompt, after: checkShot(shot.t2i_prompt, shot.must_show, known) }]
        : [],
    ),
  ];
  return {
    corrections: checked
      .filter(({ before, after }) => after.prompt !== before)
      .map(({ itemId, after }) => ({ item_id: itemId, t2i_prompt: after.prompt, reason: after.reasons.join(' ') })),
  };
}

function checkEntity({ kind, name, t2i_prompt: prompt }: ReviewInput['entities'][number]): Checked {
  const light = readPromptLine(prompt, 'light');
  if (kind !== 'place' || light === null) return { prompt, reasons: [] };
  return {
    prompt: withPromptLine(prompt, 'light', null),
    reasons: [`The reference of ${name} fixes its light (${light}), which each scene decides for itself.`],
  };
}

function checkShot(prompt: string, show: MustShow, cast: ReadonlySet<string>): Checked {
  return [checkLight, checkFrame, checkSetting].reduce<Checked>(
    (checked, check) => {
      const { prompt: next, reasons } = check(checked.prompt, show, cast);
      return { prompt: next, reasons: [...checked.reasons, ...reasons] };
    },
    { prompt, reasons: [] },
  );
}

function checkLight(prompt: string, { time_of_day: time }: MustShow): Checked {
  const light = readPromptLine(prompt, 'light');
  const found = light === null ? '' : timeOfLight(light);
  if (found === '' || time === '' || found === time || LIGHT[time] === undefined) return { prompt, reasons: [] };
  return {
    prompt: withPromptLine(prompt, 'light', LIGHT[time]),
    reasons: [`The scene is set at ${time}, but the prompt lights it as ${found}.`],
  };
}

function checkFrame(prompt: string, { characters }: MustShow, cast: ReadonlySet<string>): Checked {
  const line = readPromptLine(prompt, 'frame');
  if (line === null) return { prompt, reasons: [] };
  const inFrame = line === NOBODY ? [] : line.split(NAME_SEPARATOR);
  const wrong = inFrame.filter((name) => !characters.includes(name));
  const absent = characters.filter((name) => !inFrame.includes(name));
  if (wrong.length === 0 && absent.length === 0) return { prompt, reasons: [] };
  const reasons = [
    ...wrong.map((name) =>
      cast.has(name.toLowerCase()) ? `${name} is not in this shot.` : `"${name}" is nobody of the cast.`,
    ),
    ...absent.map((name) => `${name} belongs into this shot.`),
  ];
  return {
    prompt: withPromptLine(prompt, 'frame', characters.length === 0 ? NOBODY : characters.join(NAME_SEPARATOR)),
    reasons,
  };
}

function checkSetting(prompt: string, { place, interior }: MustShow): Checked {
  const line = readPromptLine(prompt, 'setting');
  const right = settingOf(place, interior);
  if (line === null || line === right) return { prompt, reasons: [] };
  return {
    prompt: withPromptLine(prompt, 'setting', right),
    reasons: [`The prompt sets it ${line}, but the scene is ${right}.`],
  };
}
