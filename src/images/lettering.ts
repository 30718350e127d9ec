import type { SKRSContext2D } from '@napi-rs/canvas';
import { BOARD_FAMILY, canDraw } from './fonts';

/** The font of a line of lettering; sizes in units of the picture. */
export function font(sizePx: number, weight: 400 | 700 = 400): string {
  return `${weight} ${Math.round(sizePx * 10) / 10}px "${BOARD_FAMILY}"`;
}

const PICTOGRAPH =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{Variation_Selector}|\u{200D}|\u{20E3}|[\u{E0020}-\u{E007F}]/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u;

/**
 * Text that can be drawn without empty boxes: emoji are left out (fonts differ too much in them), a run of other characters that none
 * has becomes one ellipsis, white space is one blank. The text itself is kept elsewhere, untouched.
 */
export function drawable(text: string): string {
  let result = '';
  for (const character of text.normalize('NFC').replace(/\s+/gu, ' ')) {
    if (character === ' ' || /^[\x21-\x7e\p{Script=Hangul}]$/u.test(character)) result += character;
    else if (INVISIBLE.test(character)) continue;
    else if (PICTOGRAPH.test(character) && !/[©®™]/u.test(character)) continue;
    else if (canDraw(character)) result += character;
    else if (/\p{M}/u.test(character)) continue;
    else if (!result.endsWith('…')) result += '…';
  }
  return result.replace(/ +/g, ' ').trim();
}

/** Breaks text into at most `maxLines` lines no wider than `width` (units); what does not fit ends in an ellipsis. */
export function wrap(ctx: SKRSContext2D, text: string, width: number, maxLines: number): string[] {
  const lines: string[] = [];
  let rest = text.slice(0, 1200).trim();
  while (rest !== '' && lines.length < maxLines) {
    const count = fitting(ctx, rest, width);
    if (count >= rest.length) {
      lines.push(rest);
      return lines;
    }
    if (lines.length === maxLines - 1) {
      lines.push(ellipsis(ctx, rest, width));
      return lines;
    }
    // At a blank where there is one; Korean, Japanese and Chinese may break anywhere, but look better at blanks too.
    const blank = rest.lastIndexOf(' ', count);
    const cut = blank > count * 0.5 ? blank : Math.max(1, count);
    lines.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return lines;
}

/** The text, shortened with an ellipsis where it is wider than `width`. */
export function ellipsis(ctx: SKRSContext2D, text: string, width: number): string {
  const count = fitting(ctx, text, width);
  if (count >= text.length) return text;
  for (let length = count; length > 0; length -= 1) {
    const shorter = `${text
      .slice(0, length)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd()}…`;
    if (ctx.measureText(shorter).width <= width) return shorter;
  }
  return '…';
}

function fitting(ctx: SKRSContext2D, text: string, width: number): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ctx.measureText(text.slice(0, middle)).width <= width) low = middle;
    else high = middle - 1;
  }
  // Never between the halves of a surrogate pair.
  const code = text.charCodeAt(low - 1);
  return low > 0 && code >= 0xd800 && code <= 0xdbff ? low - 1 : low;
}
