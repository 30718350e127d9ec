import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../domain/errors';
import { renderPage } from './html/page';
import type { ContactSheetInput } from './input';
import { renderSheetPng } from './png/sheet';
import { prepareFile, type PreparedFile } from './replace-file';

export type { ContactSheetInput } from './input';

export interface WrittenContactSheet {
  /** Absolute. */
  readonly htmlPath: string;
  readonly pngPath: string;
}

/** Errors of a folder that the person named, and can change. */
const FOLDER_ERRORS = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'ENOENT',
]);

/** The contact sheet as one HTML file and one PNG (spec 50 `export`). The same input gives the same bytes. Images that cannot be read are shown as missing. */
export async function renderContactSheet(input: ContactSheetInput): Promise<{ html: string; png: Uint8Array }> {
  const html = await renderPage(input);
  const png = await renderSheetPng(input);
  return { html, png };
}

/**
 * Writes `contact-sheet.html` and `contact-sheet.png` into the folder, which is made where it is absent. Both are whole before
 * either takes its name. Throws input.invalid, naming the folder, where it cannot be written to.
 */
export async function writeContactSheet(input: ContactSheetInput, directory: string): Promise<WrittenContactSheet> {
  const folder = path.resolve(directory);
  const htmlPath = path.join(folder, 'contact-sheet.html');
  const pngPath = path.join(folder, 'contact-sheet.png');
  const { html, png } = await renderContactSheet(input);
  const prepared: PreparedFile[] = [];
  try {
    await mkdir(folder, { recursive: true });
    prepared.push(await prepareFile(htmlPath, html));
    prepared.push(await prepareFile(pngPath, png));
    for (const file of prepared) await file.publish();
  } catch (error) {
    for (const file of prepared) await file.discard();
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined || !FOLDER_ERRORS.has(code)) throw error;
    throw new AppError(
      'input.invalid',
      `The contact sheet cannot be written to ${folder}: ${(error as Error).message}`,
      undefined,
      { cause: error },
    );
  }
  return { htmlPath, pngPath };
}
