import sharp from 'sharp';

export type ProbedImage =
  | { readonly ok: true; readonly width: number; readonly height: number; readonly contentType: string }
  | { readonly ok: false; readonly why: string };

/** Raster formats only: an SVG is a program for whoever opens it (never stored as an image), and HTML is an error page. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  heif: 'image/avif',
};
const SIGNATURES: readonly (readonly [offset: number, bytes: string])[] = [
  [0, '\x89PNG\r\n\x1a\n'],
  [0, '\xff\xd8\xff'],
  [8, 'WEBP'],
  [0, 'GIF8'],
  [4, 'ftypavif'],
];
/** 100 megapixels: more is a mistake or an attack, and would fill the memory of the worker. */
const MAX_PIXELS = 100_000_000;

/**
 * Is this really an image? It is decoded to its last pixel, so a file cut short fails (spec 20 "verify", case C22).
 * Never throws: the answer names what is wrong. Sizes in pixels, as the picture is shown (a turned photo is turned).
 */
export async function probeImage(bytes: Uint8Array): Promise<ProbedImage> {
  if (bytes.byteLength === 0) return { ok: false, why: 'the file is empty' };
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(32, bytes.byteLength)).toString('latin1');
  if (!SIGNATURES.some(([offset, signature]) => head.startsWith(signature, offset)))
    return { ok: false, why: `not an image: it begins with ${JSON.stringify(printable(head))}` };
  try {
    const image = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS });
    const { format, width, height, orientation } = await image.metadata();
    const contentType = CONTENT_TYPES[format];
    if (contentType === undefined) return { ok: false, why: `images of the format ${format} are not taken` };
    await image.stats();
    // The decoder is content without the last chunk of a PNG: but then bytes are missing.
    if (format === 'png' && !endsWithIend(bytes))
      return { ok: false, why: 'it is cut short: the end of the PNG is missing' };
    const turned = orientation !== undefined && orientation >= 5;
    return { ok: true, width: turned ? height : width, height: turned ? width : height, contentType };
  } catch (error) {
    return {
      ok: false,
      why: `it does not decode: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    };
  }
}

function endsWithIend(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('IEND\xae\x42\x60\x82', 0, 'latin1');
}

function printable(text: string): string {
  return text.slice(0, 16).replace(/[^\x20-\x7e]/g, '.');
}
