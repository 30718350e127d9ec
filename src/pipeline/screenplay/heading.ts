/** A line that opens a scene. */
export interface HeadingLine {
  /** The heading without its numbering where there is more than that; else as written. */
  readonly heading: string;
  /** The number or label that the screenplay gives; may repeat. */
  readonly number?: string;
  /** Only a number or label (`SCENE 3`): the next heading, if nothing stands between, is the same scene's. */
  readonly bare: boolean;
}

const MAX_HEADING = 200;

/** Fountain's headings, and the words other languages have for them. */
const SLUG =
  /^(?:(?:int|ext|est|innen|aussen|außen|interior|exterior|intérieur|extérieur)[.:]|(?:int\.?\s?\/\s?ext|ext\.?\s?\/\s?int|i\/e|e\/i)(?:[.:]|\s)|(?:INT|EXT|EST|INTERIOR|EXTERIOR|INNEN|AUSSEN|AUßEN)[\s:-]\s*\S)/iu;
const UPPER_SLUG = /^(?:INT|EXT|EST|INTERIOR|EXTERIOR|INNEN|AUSSEN|INTÉRIEUR|EXTÉRIEUR)\s/u;
const LOCAL_SLUG = /^(?:실내|실외|야외|屋内|屋外|室内|室外|内景|外景)\s*[.:．。/)\]】-]/u;

/** `[장면 1] …`, `씬 3.`, `S#1.`, `場面1`, `第3場`, `SCENE 1`, `Scene 3 -`, `Szene 4:`, `Сцена 2`. A number is needed, and an end after it. */
const LABEL =
  /^(?<open>[[【(（〔<《]\s*)?(?<label>(?:장면|씬|신|scene|sc\.|scène|szene|bild|escena|cena|scena|сцена|場面|シーン|場景|场景|场|幕)\s*[#№.:]?\s*(?<a>\d{1,4}[a-z]?|[ivxlc]{1,6}(?![\p{L}])|[一二三四五六七八九十百]{1,4})|s\s*#\s*(?<b>\d{1,4}[a-z]?)|#(?<c>\d{1,4}[a-z]?)(?=[.:)\s])|第\s*(?<d>[\d一二三四五六七八九十百]{1,4})\s*(?:場|场|幕|シーン|景))(?<close>\s*[\]】)）〕>》])?(?<rest>.*)$/iu;

/** `12. INT. HOUSE - DAY 12`, `12A EXT. …`: production numbers at the margins. */
const MARGIN_NUMBER = /^(\d{1,4}[A-Za-z]?)[.)]?\s+(?=\S)/u;
const FOUNTAIN_NUMBER = /\s*#([\p{L}\p{N}.-]{1,20})#\s*$/u;

/** Reads one line as the heading of a scene, or null. `afterBlank`: a blank line, or nothing, stands before it. */
export function readHeading(line: string, afterBlank: boolean): HeadingLine | null {
  const text = line.trim().replace(/^\*{1,3}|\*{1,3}$|^_|_$/g, '');
  if (text === '' || text.length > MAX_HEADING) return null;
  const forced = /^\.(?![.\s])(.*)$/u.exec(text);
  if (forced && afterBlank) return withNumber(forced[1]!.trim());
  if (afterBlank && isSlug(text)) return withNumber(text);
  const margin = MARGIN_NUMBER.exec(text);
  if (afterBlank && margin && isSlug(text.slice(margin[0].length))) {
    const number = margin[1]!;
    const slug = text.slice(margin[0].length).trim();
    const repeated = slug.endsWith(` ${number}`) ? slug.slice(0, -number.length).trim() : slug;
    return { heading: repeated, number, bare: false };
  }
  return readLabel(text, afterBlank);
}

function isSlug(text: string): boolean {
  if (LOCAL_SLUG.test(text)) return true;
  if (!SLUG.test(text)) return false;
  // `int` and `ext` without a stop are headings in capitals only: prose begins with small words.
  return /^[\p{L}]+[.:/]/u.test(text) || /^[ie]\/[ie]/iu.test(text) || UPPER_SLUG.test(text);
}

function withNumber(heading: string): HeadingLine {
  const number = FOUNTAIN_NUMBER.exec(heading);
  if (!number) return { heading, bare: false };
  return { heading: heading.slice(0, number.index).trim() || heading, number: number[1]!, bare: false };
}

function readLabel(text: string, afterBlank: boolean): HeadingLine | null {
  const circled = /^[○◯〇●]\s*(\S.*)$/u.exec(text);
  if (circled && afterBlank) return withNumber(circled[1]!);
  const match = LABEL.exec(text);
  if (!match?.groups) return null;
  const { open, label, close, a, b, c, d } = match.groups;
  const rest = match.groups['rest']!.trim();
  const bracketed = open !== undefined && close !== undefined;
  if (open !== undefined && !bracketed && !/[\]】)）〕>》]/u.test(rest)) return null;
  // In running text (`Scene 3 was bad.`) a word follows at once; a heading goes on with a mark, a slug, or not at all.
  if (
    !bracketed &&
    rest !== '' &&
    !/^[-–—:：.,．、(（[【|/]/u.test(rest) &&
    !isSlug(rest) &&
    !startsCaseless(rest, label!)
  )
    return null;
  if (!afterBlank && !bracketed) return null;
  const heading = rest.replace(/^[-–—:：.,．、|/\s\]】)）]+/u, '').trim();
  const number = (a ?? b ?? c ?? d)!;
  if (heading === '') return { heading: text, number, bare: true };
  return { ...withNumber(heading), number, bare: false };
}

/** `씬 1 옥상`: in a script without capitals a word may follow the number directly, if the line is short and ends like no sentence. */
function startsCaseless(rest: string, label: string): boolean {
  return !/^[a-z]/i.test(label.replace(/^s\s*#/i, '')) && rest.length <= 60 && !/[.!?。！？…]$/u.test(rest);
}
