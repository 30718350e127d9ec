import { readHeading, type HeadingLine } from './heading';

/** A scene before its text is read: the heading, or null for text before the first or without any, and its lines. */
export interface RawScene {
  readonly heading: HeadingLine | null;
  readonly lines: readonly string[];
}

/** Splits lines at headings. Without any heading: one scene for each block between blank lines (spec 00, "The input"). */
export function splitScenes(lines: readonly string[]): RawScene[] {
  const scenes = splitAtHeadings(lines);
  if (scenes.every((scene) => scene.heading === null))
    return paragraphsOf(lines).map((block) => ({ heading: null, lines: block }));
  return scenes;
}

/** The blocks between blank lines. */
export function paragraphsOf(lines: readonly string[]): string[][] {
  const paragraphs: string[][] = [];
  let open: string[] = [];
  for (const line of lines) {
    // Two blanks alone keep a dialogue open (Fountain); they are no text of their own.
    if (line.trim() !== '') open.push(line);
    else if (open.length > 0 && !/^ {2}$/.test(line)) {
      paragraphs.push(open);
      open = [];
    }
  }
  if (open.length > 0) paragraphs.push(open);
  return paragraphs;
}

function splitAtHeadings(lines: readonly string[]): RawScene[] {
  const scenes: { heading: HeadingLine | null; lines: string[] }[] = [{ heading: null, lines: [] }];
  let afterBlank = true;
  for (const line of lines) {
    const heading = readHeading(line, afterBlank);
    const last = scenes.at(-1)!;
    if (heading && last.heading?.bare && !heading.bare && last.lines.every((one) => one.trim() === ''))
      // `SCENE 3` and then `INT. KITCHEN - DAY`: one scene.
      scenes[scenes.length - 1] = { heading: { ...heading, number: last.heading.number }, lines: [] };
    else if (heading) scenes.push({ heading, lines: [] });
    else last.lines.push(line);
    // The line behind a section or a heading begins anew, even where the writer left no blank one.
    afterBlank = line.trim() === '' || /^#{1,6}\s/.test(line.trim()) || heading !== null;
  }
  return scenes;
}
