import fs from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../domain/errors';
import { decodeScreenplay } from '../../pipeline/screenplay/decode';

export interface ScreenplayFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** Far above what a screenplay may have; a file beyond it is refused without reading it. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/**
 * Reads a screenplay and makes sure that it is one, before anything starts. Throws screenplay.not_found, .empty, .not_text,
 * .too_large.
 */
export async function readScreenplayFile(file: string): Promise<ScreenplayFile> {
  const bytes = await readFile(path.resolve(file), file);
  decodeScreenplay(bytes);
  return { fileName: path.basename(file), bytes };
}

async function readFile(file: string, asTyped: string): Promise<Uint8Array> {
  const shown = JSON.stringify(asTyped);
  try {
    const found = await fs.stat(file);
    if (found.isDirectory()) throw new AppError('screenplay.not_found', `${shown} is a folder, not a file.`);
    // A pipe or a device has no size to look at and no name to call an episode by.
    if (!found.isFile()) throw new AppError('screenplay.not_found', `${shown} is not a regular file.`);
    if (found.size > MAX_READ_BYTES) throw new AppError('screenplay.too_large', `${shown} has ${found.size} bytes.`);
    return await fs.readFile(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new AppError('screenplay.not_found', `There is no file ${shown}.`, undefined, { cause: error });
    throw new AppError('screenplay.not_found', `${shown} cannot be read (${code || String(error)}).`, undefined, {
      cause: error,
    });
  }
}
