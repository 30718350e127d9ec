import sharp from 'sharp';
import type { ContactSheetInput, SheetShot } from './input';

/** A picture made small for a sheet; undefined where its bytes are no image (a damaged file does not stop the export). */
export async function thumbnail(bytes: Uint8Array, widthPx: number): Promise<Thumbnail | undefined> {
  try {
    const { data, info } = await sharp(bytes, { failOn: 'error' })
      .rotate()
      .resize({ width: widthPx, withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer({ resolveWithObject: true });
    return { webp: data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

export interface Thumbnail {
  readonly webp: Buffer;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Raw pixels that fit into a box (px), for the canvas; undefined where the bytes are no image. */
export async function pixels(
  bytes: Uint8Array,
  box: { readonly width: number; readonly height: number },
): Promise<{ data: Buffer; width: number; height: number } | undefined> {
  try {
    const { data, info } = await sharp(bytes, { failOn: 'error' })
      .rotate()
      .resize({ width: box.width, height: box.height, fit: 'inside' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

/** A shot with its number on the sheet: scene and shot from 1. */
export interface NumberedShot {
  readonly number: string;
  readonly shot: SheetShot;
}

export function numberedShots(input: ContactSheetInput): NumberedShot[] {
  return input.scenes.flatMap((scene, sceneIndex) =>
    scene.shots.map((shot, index) => ({ number: `${sceneIndex + 1}.${index + 1}`, shot })),
  );
}

export function countShots(input: ContactSheetInput): { shots: number; drawn: number; off: number } {
  const all = input.scenes.flatMap((scene) => scene.shots);
  return {
    shots: all.length,
    drawn: all.filter((shot) => shot.image !== null).length,
    off: all.filter((shot) => !shot.on).length,
  };
}
