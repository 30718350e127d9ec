/** Where things are on the PNG sheet, in pixels. */
export interface SheetLayout {
  readonly columns: number;
  readonly cell: { readonly width: number; readonly height: number };
  readonly picture: { readonly width: number; readonly height: number };
  readonly margin: number;
  readonly gap: number;
  readonly header: number;
  readonly width: number;
  readonly height: number;
}

const MARGIN = 36;
const GAP = 18;
const HEADER = 132;
const TEXT = 104;
/** Beyond this, image viewers and mail clients give up; cells get smaller instead. */
const MAX_HEIGHT_PX = 16_000;

/** Few shots stand large in two columns, an episode's sixty in six; hundreds get more and smaller columns. */
export function layoutFor(shots: number): SheetLayout {
  const choices = [
    [1, 720],
    [2, 560],
    [3, 480],
    [4, 420],
    [6, 360],
    [8, 320],
    [12, 260],
    [20, 200],
    [40, 160],
  ] as const;
  const first = shots <= 1 ? 0 : shots <= 6 ? 1 : shots <= 15 ? 2 : shots <= 28 ? 3 : shots <= 72 ? 4 : 5;
  let chosen = layout(40, 160, shots);
  for (const [columns, width] of choices.slice(first)) {
    chosen = layout(columns, width, shots);
    if (chosen.height <= MAX_HEIGHT_PX) break;
  }
  return chosen;
}

function layout(columns: number, width: number, shots: number): SheetLayout {
  const picture = { width, height: Math.round((width * 9) / 16) };
  const cell = { width, height: picture.height + TEXT };
  const rows = Math.max(1, Math.ceil(shots / columns));
  return {
    columns,
    cell,
    picture,
    margin: MARGIN,
    gap: GAP,
    header: HEADER,
    width: Math.max(720, MARGIN * 2 + columns * (width + GAP) - GAP),
    height: HEADER + rows * (cell.height + GAP) + MARGIN,
  };
}
