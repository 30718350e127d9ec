/** Kinds of pictures that a browser may be shown. SVG is not among them: it can hold scripts (cases C48). */
const TYPES = [
  {
    type: 'image/png',
    extension: 'png',
    is: (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  },
  {
    type: 'image/jpeg',
    extension: 'jpg',
    is: (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  },
  { type: 'image/gif', extension: 'gif', is: (bytes: Buffer) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) },
  {
    type: 'image/webp',
    extension: 'webp',
    is: (bytes: Buffer) => /^RIFF[^]{4}WEBP/.test(bytes.toString('latin1', 0, 12)),
  },
  {
    type: 'image/avif',
    extension: 'avif',
    is: (bytes: Buffer) => /^[^]{4}ftypavi[fs]/.test(bytes.toString('latin1', 0, 12)),
  },
] as const;

export interface ImageType {
  readonly type: string;
  readonly extension: string;
}

/** What the bytes are, by their own first bytes, whatever anybody said of them; null: no picture that is shown. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16));
  const found = TYPES.find(({ is }) => is(start));
  return found ? { type: found.type, extension: found.extension } : null;
}
