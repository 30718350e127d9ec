import { Lexer, type Token } from 'fountain-js';
import { isCapitalCue, isCaselessCue, readSpeech } from './cue';
import { isStageLabel, readLabelLine, readSpeaker, withoutPanel, type LabelLine } from './label-line';
import { withoutEmphasis } from './markup';
import type { SceneElement } from './screenplay';

/** What the whole script tells of a name that one paragraph does not. */
export interface KnownNames {
  /** How often a label stands before a colon. */
  readonly labels: ReadonlyMap<string, number>;
  /** How often a short line without capitals stands above others. */
  readonly caselessCues: ReadonlyMap<string, number>;
}

const TRANSITION =
  /^(?:fade (?:in|out|to black|to white)[.:]?|cut to(?: black)?[.:]?|smash cut(?: to)?[.:]?|match cut(?: to)?[.:]?|dissolve to[.:]?|.{1,40} to:|blackout\.?|the end\.?|ende\.?|fin\.?|끝\.?|페이드 ?(?:인|아웃)\.?|암전\.?|디졸브\.?|暗転。?|終わり?。?)$/iu;

/** Blocks longer than this are not handed to the library: its patterns cost more than a line is worth. */
const LIBRARY_LIMIT = 20_000;

/** The elements of one paragraph (lines without a blank one between). Pure. */
export function readParagraph(lines: readonly string[], known: KnownNames): SceneElement[] {
  const first = lines[0]!.trim();
  if (/^={3,}$/.test(first) && lines.length === 1) return [];
  if (/^#{1,6}(?!\d+[.:)\s])/.test(first) || /^=(?!=)/.test(first))
    return lines.length === 1 ? [] : readParagraph(lines.slice(1), known);
  if (/^!/.test(first)) return action([first.slice(1), ...lines.slice(1)]);
  if (/^>.*<$/.test(first)) return action(lines.map((line) => line.trim().replace(/^>\s*|\s*<$/g, '')));
  if (/^>/.test(first))
    return [
      { kind: 'transition', text: withoutEmphasis(first.slice(1).trim()) },
      ...(lines.length > 1 ? readParagraph(lines.slice(1), known) : []),
    ];
  if (lines.length === 1 && isTransition(first)) return [{ kind: 'transition', text: first }];
  if (/^@/.test(first))
    return lines.length > 1 ? plain(readSpeech(first.slice(1), lines.slice(1))) : action([first.slice(1)]);
  if (lines.some((line) => isStageLabel(line) || isDialogueLabel(readLabelLine(line), known)))
    return byLine(lines, known);
  if (lines.length > 1 && isCapitalCue(first)) return plain(byLibrary(lines) ?? readSpeech(first, lines.slice(1)));
  if (lines.length > 1 && isCaselessCue(first) && isKnownCue(first, lines[1]!, known))
    return plain(readSpeech(first, lines.slice(1)));
  return action(lines);
}

function isTransition(line: string): boolean {
  return TRANSITION.test(line) && (line === line.toUpperCase() || /:$/.test(line));
}

/** Quoted speech, or a label in capitals, or one that stands more than once. */
function isDialogueLabel(label: LabelLine | null, known: KnownNames): label is LabelLine {
  return label !== null && (label.quoted || label.capitals || (known.labels.get(label.speaker) ?? 0) > 1);
}

function isKnownCue(cue: string, next: string, known: KnownNames): boolean {
  return (known.caselessCues.get(readSpeaker(cue).name) ?? 0) > 1 || /^[(（].*[)）]$/u.test(next.trim());
}

/** Fountain's dialogue as the library reads it; null where it sees none (its pattern knows small ASCII letters only). */
function byLibrary(lines: readonly string[]): SceneElement[] | null {
  const source = lines.join('\n');
  if (source.length > LIBRARY_LIMIT) return null;
  const tokens: Token[] = Lexer.tokenizeScript(source);
  const cue = tokens.find((token) => token.type === 'character');
  if (!cue?.text) return null;
  const spoken = tokens.filter(
    (token) => token.type === 'dialogue' || token.type === 'parenthetical' || token.type === 'lyrics',
  );
  const read = readSpeech(
    cue.text,
    spoken.flatMap((token) => (token.text ?? '').split('\n')),
  );
  return read.length > 0 ? read : null;
}

/** Webtoon and stage-play lines: each stands for itself; one without a label goes on with the line before. */
function byLine(lines: readonly string[], known: KnownNames): SceneElement[] {
  const elements: SceneElement[] = [];
  let open = false;
  for (const line of lines) {
    const label = readLabelLine(line);
    const text = withoutEmphasis(withoutPanel(line));
    const last = elements.at(-1);
    if (!isStageLabel(line) && isDialogueLabel(label, known)) {
      const parenthetical = label.parenthetical;
      elements.push({
        kind: 'dialogue',
        speaker: label.speaker,
        text: withoutEmphasis(label.text),
        ...(parenthetical ? { parenthetical } : {}),
      });
      open = false;
    } else if (text === '') continue;
    else if (isStageLabel(line) || !open || last?.kind !== 'action') {
      elements.push({ kind: 'action', text });
      open = true;
    } else elements[elements.length - 1] = { kind: 'action', text: `${last.text}\n${text}` };
  }
  return elements;
}

function plain(elements: readonly SceneElement[]): SceneElement[] {
  return elements.map((element) => ({ ...element, text: withoutEmphasis(element.text) }));
}

function action(lines: readonly string[]): SceneElement[] {
  const text = withoutEmphasis(lines.map((line) => line.trim().replace(/^~\s*/, '')).join('\n')).trim();
  return text === '' ? [] : [{ kind: 'action', text }];
}
