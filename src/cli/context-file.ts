import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../domain/errors';

/** A context's text from a file, or from standard input for `-`. Throws input.invalid. */
export function readContextFile(file: string): { readonly name: string; readonly text: string } {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new AppError(
      'input.invalid',
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      undefined,
      { cause: error },
    );
  }
  try {
    return {
      name: file === '-' ? 'standard input' : path.parse(file).name,
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    };
  } catch (error) {
    throw new AppError('input.invalid', `${file} is not text in UTF-8.`, undefined, { cause: error });
  }
}
