import { readSpeaker } from './label-line';
import type { SceneElement } from './screenplay';

/** Whether a line can be a cue in a script with capital letters: all of its letters, up to a bracket, are capitals. */
export function isCapitalCue(line: string): boolean {
  const name = line
    .replace(/[(（][^()（）]*[)）]/gu, '')
    .replace(/\^\s*$/, '')
    .trim();
  const letters = name.replace(/[^\p{L}]/gu, '');
  if (letters === '' || name.length > 60) return false;
  if (letters !== letters.toUpperCase() || letters === letters.toLowerCase()) return false;
  // A shout or a sound that stands in two lines (`THE DOOR SLAMS.`) is action.
  return !/[.!?…:,]$/u.test(name.replace(/\b(?:jr|sr|dr|mr|mrs|ms)\.$/iu, ''));
}

/** Whether a line can be a cue in a script without capital letters: short, no mark of a sentence. It counts if the script repeats it. */
export function isCaselessCue(line: string): boolean {
  const name = line.replace(/[(（][^()（）]*[)）]/gu, '').trim();
  const letters = name.replace(/[^\p{L}]/gu, '');
  if (letters === '' || letters.toLowerCase() !== letters.toUpperCase()) return false;
  return name.length <= 12 && name.split(/\s+/).length <= 2 && !/[.!?,…:;"'“”‘’「」『』。、！？*~]/u.test(name);
}

/** The rest of a dialogue block under its cue: brackets on a line of their own say how; other lines are spoken. */
export function readSpeech(cue: string, lines: readonly string[]): SceneElement[] {
  const { name, parenthetical: extension } = readSpeaker(cue);
  const elements: SceneElement[] = [];
  let how: string[] = extension === '' ? [] : [extension];
  let spoken: string[] = [];
  const flush = (): void => {
    if (spoken.length > 0)
      elements.push({
        kind: 'dialogue',
        speaker: name,
        text: spoken.join('\n'),
        ...(how.length > 0 ? { parenthetical: how.join(', ') } : {}),
      });
    spoken = [];
  };
  for (const line of lines) {
    const text = line.trim();
    const remark = /^[(（](.+)[)）]$/u.exec(text);
    if (remark) {
      flush();
      how = [...(extension === '' ? [] : [extension]), remark[1]!.trim()];
    } else if (text !== '') spoken.push(text.replace(/^~\s*/, ''));
  }
  flush();
  return elements;
}
