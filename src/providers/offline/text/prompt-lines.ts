/** The lines of a shot's prompt that writer and reviewer agree on; a prompt from elsewhere may have none of them. */
const LINE = { frame: 'In frame: ', setting: 'Setting: ', light: 'Light: ' } as const;

export type LineKind = keyof typeof LINE;

export function promptLine(kind: LineKind, value: string): string {
  return `${LINE[kind]}${value}.`;
}

/** What the line of a kind says; null where the prompt has none. */
export function readPromptLine(prompt: string, kind: LineKind): string | null {
  const line = prompt.split('\n').find((one) => one.startsWith(LINE[kind]));
  return line === undefined ? null : line.slice(LINE[kind].length).replace(/\.$/, '');
}

/** The prompt with the line of a kind replaced, or taken out (null). */
export function withPromptLine(prompt: string, kind: LineKind, value: string | null): string {
  return prompt
    .split('\n')
    .flatMap((line) => (line.startsWith(LINE[kind]) ? (value === null ? [] : [promptLine(kind, value)]) : [line]))
    .join('\n');
}

/** Names are parted by this; it stands in no name. */
export const NAME_SEPARATOR = '; ';
export const NOBODY = 'nobody';

export function settingOf(place: string, interior: string): string {
  const where = interior === 'INT' ? 'inside' : interior === 'EXT' ? 'outside,' : 'at';
  return place === '' ? `${where.replace(',', '')} an unnamed place` : `${where} ${place}`;
}
