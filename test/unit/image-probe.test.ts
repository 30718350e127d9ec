import sharp from 'sharp';
import { probeImage } from '../../src/images/probe';

/** Enough different pixels that a cut takes picture data away. */
function picture() {
  const pixels = Buffer.from(Array.from({ length: 80 * 60 * 3 }, (_, index) => (index * index * 7) % 251));
  return sharp(pixels, { raw: { width: 80, height: 60, channels: 3 } });
}

const formats = [
  ['png', () => picture().png().toBuffer()],
  ['jpeg', () => picture().jpeg().toBuffer()],
  ['webp', () => picture().webp().toBuffer()],
] as const;

describe('probeImage', () => {
  it.each(formats)('takes a whole %s, and names its size and type', async (format, make) => {
    expect(await probeImage(await make())).toEqual({ ok: true, width: 80, height: 60, contentType: `image/${format}` });
  });

  it.each(formats)('takes no %s that is cut short, wherever the cut is', async (_format, make) => {
    const whole = await make();
    for (const share of [0.05, 0.3, 0.6, 0.9, 0.99]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      expect(await probeImage(cut)).toMatchObject({ ok: false });
    }
  });

  it('takes no PNG whose last chunk alone is missing', async () => {
    const whole = await picture().png().toBuffer();
    expect(await probeImage(whole.subarray(0, whole.length - 12))).toMatchObject({
      ok: false,
      why: expect.stringContaining('cut short'),
    });
  });

  it('takes no PNG with one flipped byte in its pixels', async () => {
    const bytes = await picture().png().toBuffer();
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
    expect(await probeImage(bytes)).toMatchObject({ ok: false });
  });

  it.each([
    ['nothing', ''],
    ['zeros', '\0'.repeat(4096)],
    ['an HTML error page', '<!doctype html><title>502</title>'],
    ['JSON', '{"error":"no image"}'],
    ['an SVG, which may hold a script', '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"><script/></svg>'],
    [
      'an SVG behind an XML head',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>',
    ],
    ['a PNG signature and nothing behind it', '\x89PNG\r\n\x1a\n'],
  ])('takes %s for no image, and says why', async (_name, text) => {
    const answer = await probeImage(Buffer.from(text, 'latin1'));
    expect(answer.ok).toBe(false);
    expect(answer).toHaveProperty('why', expect.stringMatching(/\w/));
  });

  it('reads a view into a larger buffer by its own bounds', async () => {
    const whole = await picture().png().toBuffer();
    const within = Buffer.concat([Buffer.alloc(7, 1), whole, Buffer.alloc(9, 2)]);
    expect(await probeImage(new Uint8Array(within.buffer, within.byteOffset + 7, whole.length))).toMatchObject({
      ok: true,
    });
  });

  it('tells the size as a turned photo is shown', async () => {
    const turned = await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await probeImage(turned)).toMatchObject({ ok: true, width: 60, height: 80 });
  });
});
