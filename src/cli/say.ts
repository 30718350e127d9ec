import { noteLines } from './table';
import type { Terminal } from './terminal';

/** A note beside the answer: what is being done. Wrapped, dim, on standard error. */
export function sayBeside(terminal: Terminal, text: string): void {
  for (const line of noteLines(terminal, { text, paint: terminal.colours.dim }, '')) terminal.note(line);
}
