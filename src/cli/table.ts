import { columnsOf, cutTo, plainLine, wrapTo } from './plain-text';
import type { Terminal } from './terminal';

type Paint = (text: string) => string;

export interface Cell {
  readonly text: string;
  readonly paint?: Paint;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The column that gives way where the terminal is narrow; at least this many columns are left to it. */
  readonly shrinksTo?: number;
}

export interface Row {
  readonly cells: readonly (Cell | string)[];
  /** Lines below the row, indented and wrapped. */
  readonly notes?: readonly Cell[];
}

const GAP = '  ';

/** A table that fits the terminal: columns that may shrink are cut, notes are wrapped. All texts are made plain here. */
export function tableLines(terminal: Terminal, columns: readonly Column[], rows: readonly Row[]): string[] {
  const cells = rows.map((row) => columns.map((_, index) => cellOf(row.cells[index])));
  const widths = fit(terminal.columns(), columns, cells);
  const lineOf = (texts: readonly Cell[]) =>
    texts
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        const text = cutTo(cell.text, width);
        const padding = ' '.repeat(Math.max(0, width - columnsOf(text)));
        const painted = cell.paint ? cell.paint(text) : text;
        return columns[index]?.align === 'right' ? padding + painted : painted + padding;
      })
      .join(GAP)
      .trimEnd();
  const lines = [lineOf(columns.map((column) => ({ text: column.title, paint: terminal.colours.dim })))];
  rows.forEach((row, index) => {
    lines.push(lineOf(cells[index] ?? []));
    for (const note of row.notes ?? []) lines.push(...noteLines(terminal, note, '  '));
  });
  return lines;
}

/** One text of data below something, wrapped to the terminal and indented. */
export function noteLines(terminal: Terminal, note: Cell | string, indent: string): string[] {
  const { text, paint } = cellOf(note);
  return wrapTo(text, terminal.columns() - indent.length).map((line) => indent + (paint ? paint(line) : line));
}

function cellOf(cell: Cell | string | undefined): Cell {
  if (cell === undefined) return { text: '' };
  return typeof cell === 'string' ? { text: plainLine(cell) } : { ...cell, text: plainLine(cell.text) };
}

function fit(available: number, columns: readonly Column[], rows: readonly (readonly Cell[])[]): number[] {
  const widths = columns.map((column, index) =>
    Math.max(columnsOf(column.title), ...rows.map((row) => columnsOf(row[index]?.text ?? ''))),
  );
  let over = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1) - available;
  // The widest column that may shrink gives first, so that one long id does not swallow all others.
  while (over > 0) {
    const index = widest(columns, widths);
    if (index === -1) break;
    widths[index] = (widths[index] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

function widest(columns: readonly Column[], widths: readonly number[]): number {
  let found = -1;
  columns.forEach((column, index) => {
    const width = widths[index] ?? 0;
    if (column.shrinksTo !== undefined && width > column.shrinksTo && width > (widths[found] ?? 0)) found = index;
  });
  return found;
}
