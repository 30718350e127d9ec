import stringWidth from 'string-width';

/**
 * What data may send to a terminal: text, and nothing that steers it (cases C48). Titles, errors and ids come from
 * screenplays, models and other tools, so everything shown goes through here.
 */

/**
 * Whole escape sequences: CSI, OSC/DCS/APC/PM/SOS with their end, and two-byte ones; their 8-bit forms too. One without an end
 * loses its first character only (below), so that it cannot hide the text after it.
 */
const SEQUENCES =
  // eslint-disable-next-line no-control-regex -- control characters are what this file is about
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

/** C0, DEL, C1, and the marks that turn the direction of what follows. */
// eslint-disable-next-line no-control-regex -- as above
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text of data on one line: no escape sequences, no control characters, white space as single spaces. */
export function plainLine(text: string): string {
  return text
    .replace(SEQUENCES, '')
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .replace(CONTROLS, '')
    .trim();
}

/** Text of data that keeps its lines and indents. */
export function plainLines(text: string): string[] {
  return text
    .replace(SEQUENCES, '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\t/g, '  ').replace(CONTROLS, '').trimEnd());
}

/** How many columns a text takes in a terminal; Korean letters take two each. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** Splits into what a reader sees as one character, so that no letter or emoji is cut in two. */
const SEGMENTS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cuts to a number of columns, with an ellipsis where something was cut. */
export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  if (columns < 1) return '';
  return `${headOf(text, columns - 1)}…`;
}

function headOf(text: string, columns: number): string {
  let head = '';
  let taken = 0;
  for (const { segment } of SEGMENTS.segment(text)) {
    taken += columnsOf(segment);
    if (taken > columns) break;
    head += segment;
  }
  return head;
}

/** Breaks one line at spaces into lines of at most `columns`; a word that is longer is broken inside. */
export function wrapTo(text: string, columns: number): string[] {
  if (!Number.isFinite(columns) || columnsOf(text) <= columns) return [text];
  const width = Math.max(8, columns);
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(' ')) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = '';
    }
    while (columnsOf(word) > width) {
      const head = headOf(word, width) || word.slice(0, 1);
      lines.push(head);
      word = word.slice(head.length);
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
