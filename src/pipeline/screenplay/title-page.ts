import { withoutEmphasis } from './markup';

/** Keys with which a title page begins, in the languages we have seen; Fountain's own first. */
const KEYS =
  /^(title|credit|authors?|source|notes?|draft date|date|contact|copyright|revision|episode|logline|format|제목|회차|톤|작가|글|그림|장르|원작|부제|날짜|タイトル|題名|作者|脚本|原作|话数|標題|标题|titel|autor|autorin|buch|fassung|titre|auteur|título|titulo|autora?|titolo|название|автор)$/iu;

const TITLES = /^(title|제목|タイトル|題名|標題|标题|titel|titre|título|titulo|titolo|название)$/iu;

export interface TitlePage {
  /** '' where the page names none. */
  readonly title: string;
  /** The lines of the text after the page. */
  readonly rest: readonly string[];
}

/** Splits a Fountain title page (`Key: value` up to the first blank line) from the text; keys in other languages count as well. */
export function splitTitlePage(lines: readonly string[]): TitlePage {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || !KEYS.test(keyOf(lines[first]!))) return { title: '', rest: lines };
  let end = first;
  let title = '';
  let inTitle = false;
  for (; end < lines.length && lines[end]!.trim() !== ''; end += 1) {
    const line = lines[end]!;
    const key = /^\S/.test(line) ? keyOf(line) : '';
    if (key !== '') inTitle = TITLES.test(key);
    // A line that is neither a key nor a value indented under one ends the page: somebody forgot the blank line.
    else if (/^\S/.test(line)) break;
    const value = key !== '' ? line.slice(line.search(/[:：]/) + 1).trim() : line.trim();
    if (inTitle && value !== '') title = title === '' ? value : `${title} ${value}`;
  }
  return { title: withoutEmphasis(title).trim(), rest: lines.slice(end) };
}

function keyOf(line: string): string {
  const match = /^([^:：\n]{1,40})[:：]/.exec(line);
  return match ? match[1]!.trim() : '';
}
