/** Takes out what Fountain calls boneyard and notes. By index, not by pattern: an unclosed one must not cost time or text. */
export function withoutCommentary(text: string): string {
  return withoutSpans(withoutSpans(text, '/*', '*/'), '[[', ']]');
}

function withoutSpans(text: string, open: string, close: string): string {
  let rest = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return rest + text.slice(at);
    rest += text.slice(at, start);
    // A span over lines of its own leaves the blank line that parts its neighbours.
    if (text.slice(start, end).includes('\n')) rest += '\n';
    at = end + close.length;
  }
}

const EMPHASIS = [
  /(?<![\\*])\*{3}(?=\S)([^*\n]+?)(?<=\S)\*{3}/g,
  /(?<![\\*])\*{2}(?=\S)([^*\n]+?)(?<=\S)\*{2}/g,
  /(?<![\\*])\*(?=\S)([^*\n]+?)(?<=\S)\*/g,
  /(?<![\\\p{L}\p{N}_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\p{L}\p{N}_])/gu,
];

/** Text as a reader sees it: emphasis marks gone, escaped characters plain. Quotation marks and emoji stay byte for byte. */
export function withoutEmphasis(text: string): string {
  const plain = EMPHASIS.reduce((current, mark) => current.replace(mark, '$1'), text);
  return plain.replace(/\\([@#!*_$~`+=.><\\/])/g, '$1');
}
