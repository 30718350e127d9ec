import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Writes under a temporary name, syncs, renames: readers see the old or the new content, never half of it. */
export function writeWhole(file: string, content: string, mode = 0o600): void {
  const temporary = `${file}.${process.pid}.new`;
  const descriptor = openSync(temporary, 'w', mode);
  try {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

/** Text of a file; undefined where there is none. Other failures are thrown. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/** Parsed JSON of a file; undefined where it is absent or cannot be parsed (left by a crash of an older release). */
export function readJsonIfThere(file: string): unknown {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
