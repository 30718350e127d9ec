import type { Scene } from './screenplay';
import { isContinuity, timeOfDayIn } from './time-of-day';

export interface Setting {
  readonly interior: Scene['interior'];
  readonly place: string;
  readonly timeOfDay: string;
  /** The heading says "continuous", "later": as the scene before. */
  readonly continued: boolean;
}

type Interior = readonly [interior: Scene['interior'], prefix: RegExp];

/** How a heading says inside or outside. Both together come first. */
const INTERIORS: readonly Interior[] = [
  [
    'INT/EXT',
    /^(?:int\.?\s*\/\s*ext\.?|ext\.?\s*\/\s*int\.?|i\.?\/e\.?|e\.?\/i\.?|실내\s*\/\s*실외|실외\s*\/\s*실내|内\s*\/\s*外)(?![\p{L}\p{N}])[.:\s]*/iu,
  ],
  [
    'INT',
    /^(?:int|interior|interieur|intérieur|innen|interno|инт|실내|내부|屋内|室内|内景)(?![\p{L}\p{N}])[.:,\s)\]】-]*/iu,
  ],
  [
    'EXT',
    /^(?:ext|exterior|exterieur|extérieur|aussen|außen|esterno|нат|est|실외|야외|외부|屋外|室外|外景)(?![\p{L}\p{N}])[.:,\s)\]】-]*/iu,
  ],
];

const DASH = /\s+[-–—―]+\s*|\s*[–—―]+\s+|\s+-(?=\S)/u;
/** White space, emoji and what joins or colours them, which writers put around a heading. */
const DECORATION =
  /^(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}])+|(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}])+$/gu;

/** Splits a heading without its number into inside or outside, place and time of day. Pure; '' and UNKNOWN where it does not say. */
export function readSetting(heading: string): Setting {
  const slug = trimDecoration(heading);
  const found = INTERIORS.find(([, prefix]) => prefix.test(slug));
  const interior = found?.[0] ?? 'UNKNOWN';
  const rest = found ? slug.replace(found[1], '') : slug;
  const { segments, continued, timeOfDay } = takeTimes(segmentsOf(rest));
  const place = segments.map(trimDecoration).filter(Boolean).join(' - ');
  return { interior, place: /[\p{L}\p{N}]/u.test(place) ? place : '', timeOfDay, continued };
}

function trimDecoration(text: string): string {
  return text.replace(DECORATION, '').trim();
}

function segmentsOf(rest: string): string[] {
  // A last pair of brackets is a segment as well: `옥상 (밤)`, `KITCHEN (NIGHT)`.
  const bracketed = /^(.*?)\s*[(（[]([^()（）[\]]{1,40})[)）\]]\s*$/u.exec(rest);
  if (bracketed && (timeOfDayIn(bracketed[2]!) !== '' || isContinuity(bracketed[2]!)))
    return [...bySeparator(bracketed[1]!), bracketed[2]!];
  return bySeparator(rest);
}

function bySeparator(text: string): string[] {
  const dashed = text.split(DASH).filter((part) => part.trim() !== '');
  if (dashed.length > 1) return dashed;
  // Without a dash the time stands behind the last full stop, comma or slash: `INT. KITCHEN. NIGHT`, `옥상, 밤`.
  const stopped = /^(.*\S)\s*[.,、，/]\s*([^.,、，/]{1,30})[.\s]*$/u.exec(text);
  if (stopped && timeOfDayIn(stopped[2]!) !== '') return [stopped[1]!, stopped[2]!];
  const spaced = /^(.*\S)\s+(\S{1,12})$/u.exec(text.trim());
  if (spaced && timeOfDayIn(spaced[2]!) !== '' && spaced[2]!.replace(/[^\p{L}]/gu, '').length <= 10)
    return [spaced[1]!, spaced[2]!];
  return [text];
}

/** Times and continuity words stand at the end; a segment before them that is only a place stays. */
function takeTimes(segments: readonly string[]): { segments: string[]; timeOfDay: string; continued: boolean } {
  const left = [...segments];
  let timeOfDay = '';
  let continued = false;
  while (left.length > 0) {
    const last = left.at(-1)!.trim();
    if (left.length === 1 && !isOnlyTime(last)) break;
    if (isContinuity(last)) continued = true;
    else if (timeOfDayIn(last) !== '' && last.length <= 40)
      timeOfDay = timeOfDay === '' ? timeOfDayIn(last) : timeOfDay;
    else break;
    left.pop();
  }
  return { segments: left, timeOfDay, continued };
}

/** A heading that names a time and no place (`INT. NIGHT`): one word. */
function isOnlyTime(text: string): boolean {
  return !/\s/.test(text) && (isContinuity(text) || timeOfDayIn(text) !== '') && text.length <= 10;
}
