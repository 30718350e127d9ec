import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';

const ROTATE_ABOVE_BYTES = 20 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;

/** Opens a log for appending; one above 20 MB is set aside as `.1` first. Answers the descriptor; the caller closes it. */
export function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_ABOVE_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o644);
}

export function sizeOfLog(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The end of a log, at most 8 KB, from a byte offset on (what one start wrote). */
export function tailOfLog(file: string, fromByte = 0): string {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return '';
  const descriptor = openSync(file, 'r');
  try {
    const size = fstatSync(descriptor).size;
    const begin = Math.max(fromByte <= size ? fromByte : 0, size - TAIL_BYTES);
    const buffer = Buffer.alloc(size - begin);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, begin));
  } finally {
    closeSync(descriptor);
  }
}

/** The last line of a log that says something, for an error message. */
export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
