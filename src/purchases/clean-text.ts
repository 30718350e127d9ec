const LONGEST = 4_000;

/**
 * Text from outside, as a text column can hold it. The rule: NUL and lone surrogates become U+FFFD; 4,000 characters are
 * kept. PostgreSQL refuses a NUL, and the write that says what was paid must never be refused (cases C07).
 */
export function cleanText(text: string): string {
  const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
  return text.slice(0, LONGEST).replaceAll('\u0000', '\uFFFD').replace(lone, '\uFFFD');
}

export function cleanOptionalText(text: string | undefined | null): string | null {
  return text === undefined || text === null ? null : cleanText(text);
}
