import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';

/** One family from many subsets: Latin, Cyrillic, Hangul, kana and Chinese characters. */
export const BOARD_FAMILY = 'Callsheet Board';

let ready: Promise<void> | undefined;

/** Registers the fonts once in a process. A failed attempt is forgotten, so that the next picture tries again. */
export function prepareFonts(): Promise<void> {
  ready ??= register().catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

async function register(): Promise<void> {
  const folder = path.join(path.dirname(require.resolve('@fontsource/noto-sans-kr/package.json')), 'files');
  const names = (await readdir(folder)).filter((name) => /-(400|700)-normal\.woff2$/.test(name)).sort();
  if (names.length === 0)
    throw new Error(`No fonts in ${folder}: the package @fontsource/noto-sans-kr is not complete.`);
  for (const [index, name] of names.entries()) {
    GlobalFonts.registerFromPath(path.join(folder, name), BOARD_FAMILY);
    // Some 250 small files: other work of the process goes on in between.
    if (index % 25 === 24) await nextTurn();
  }
}

const CELL_PX = 24;
const visible = new Map<string, boolean>();
let tofu: string | undefined;

/** Whether some font at hand has this character; what none has would be drawn as an empty box. Call after prepareFonts. */
export function canDraw(character: string): boolean {
  const known = visible.get(character);
  if (known !== undefined) return known;
  tofu ??= pixelsOf('\u{378}');
  const answer = pixelsOf(character) !== tofu;
  visible.set(character, answer);
  return answer;
}

function pixelsOf(character: string): string {
  const canvas = createCanvas(CELL_PX, CELL_PX);
  const ctx = canvas.getContext('2d');
  ctx.font = `16px "${BOARD_FAMILY}"`;
  ctx.fillText(character, 2, 18);
  return Buffer.from(ctx.getImageData(0, 0, CELL_PX, CELL_PX).data.buffer).toString('latin1');
}
