import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { renderContactSheet, writeContactSheet, type ContactSheetInput } from '../../src/export/contact-sheet';
import { layoutFor } from '../../src/export/png/layout';
import { probeImage } from '../../src/images/probe';

let image: Buffer;
let folder: string;

beforeAll(async () => {
  image = await sharp({ create: { width: 1024, height: 576, channels: 3, background: '#356' } })
    .png()
    .toBuffer();
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'sheet-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

type Shot = ContactSheetInput['scenes'][number]['shots'][number];

const shot = (change: Partial<Shot> = {}): Shot => ({
  shotId: 'sc1-a',
  size: 'wide',
  camera: 'static',
  caption: 'Legally, a small one.',
  speaker: 'TEO',
  action: 'Teo caps the pen.',
  prompt: 'ink drawing',
  on: true,
  image,
  ...change,
});
const sheet = (shots: readonly Shot[], change: Partial<ContactSheetInput> = {}): ContactSheetInput => ({
  title: 'The Kettle Clause',
  projectId: 'local',
  episodeId: '01',
  language: 'en',
  costUsd: 1.5,
  scenes: [{ heading: 'INT. OFFICE - DAY', place: 'OFFICE', timeOfDay: 'day', shots }],
  places: [],
  characters: [],
  ...change,
});

describe('the contact sheet', () => {
  it('shows markup in titles, captions, ids and errors as text, and holds no script', async () => {
    const evil = '"><img src=x onerror=alert(1)></script><script>alert(2)</script>\'';
    const { html } = await renderContactSheet(
      sheet(
        [
          shot({
            shotId: evil,
            size: evil,
            camera: evil,
            caption: evil,
            speaker: evil,
            action: evil,
            prompt: evil,
            editedBy: evil,
            editReason: evil,
          }),
          shot({ image: null, missingReason: evil }),
        ],
        {
          title: evil,
          projectId: evil,
          episodeId: evil,
          language: evil,
          scenes: [
            { heading: evil, place: evil, timeOfDay: evil, shots: [shot({ action: evil })] },
            { heading: evil, place: '', timeOfDay: '', shots: [shot({ image: null, missingReason: evil })] },
          ],
          places: [{ name: evil, floorPlan: image, backgrounds: [{ timeOfDay: evil, image }] }],
          characters: [{ name: evil, description: evil }],
        },
      ),
    );
    expect(html).not.toMatch(/<script|<img src=x|<svg/i);
    expect(html).toContain('&lt;script&gt;alert(2)');
    // Every attribute that an element has is one of ours: none was broken out of.
    const attributes = [
      ...html.replace(/<style>[\s\S]*<\/style>/, '').matchAll(/<[a-z][a-z0-9]*((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/gi),
    ].flatMap(([, list]) => [...(list ?? '').matchAll(/([a-z-]+)(?:="[^"]*")?/gi)].map(([, name]) => name));
    expect(attributes.filter((name) => name?.startsWith('on'))).toEqual([]);
    expect(html).toContain('<html lang="und">');
  });

  it('allows by its policy only its own style, and embedded pictures and fonts', async () => {
    const { html } = await renderContactSheet(sheet([shot()]));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'");
    expect(policy).toMatch(
      /^default-src 'none'; img-src data:; font-src data:; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
    );
    expect(html).not.toMatch(/(src|href)="(?!data:image\/webp;base64,|#scene-)/);
  });

  it('gives the same bytes for the same input', async () => {
    const input = sheet([shot(), shot({ shotId: 'sc1-b', caption: '이름이?' })], {
      characters: [{ name: '하람', description: '19' }],
    });
    const [first, second] = [
      await renderContactSheet(input),
      await renderContactSheet(
        structuredClone({
          ...input,
          scenes: input.scenes.map((scene) => ({
            ...scene,
            shots: scene.shots.map((one) => ({ ...one, image: Uint8Array.from(one.image ?? []) })),
          })),
        }),
      ),
    ];
    expect(second.html).toBe(first.html);
    expect(Buffer.compare(first.png, second.png)).toBe(0);
  });

  it('names each shot by number and id, and tells what the editor changed', async () => {
    const { html } = await renderContactSheet(
      sheet([shot(), shot({ shotId: 'sc1-b', editedBy: 't2i_review', editReason: 'night, not day' })]),
    );
    expect(html).toContain('<b>1.2</b>');
    expect(html).toContain('<code>callsheet redo sc1-b</code>');
    expect(html).toMatch(/Edited · t2i_review<\/b>: night, not day/);
  });

  it('shows a shot without an image, or with a damaged one, as missing, and the others all the same', async () => {
    const { html, png } = await renderContactSheet(
      sheet([
        shot({ image: null, missingReason: 'provider.refused: no' }),
        shot({ image: Buffer.from('<html>') }),
        shot({ shotId: 'whole' }),
      ]),
    );
    expect(html.match(/No image/g)).toHaveLength(2);
    expect(html).toContain('provider.refused: no');
    expect(html.match(/data:image\/webp/g)).toHaveLength(1);
    expect(await probeImage(png)).toMatchObject({ ok: true });
  });

  it('lists a shot that is off without a hole for its picture, and keeps the picture of one that was drawn', async () => {
    const { html } = await renderContactSheet(
      sheet([
        shot(),
        shot({ shotId: 'off-undrawn', on: false, image: null }),
        shot({ shotId: 'off-drawn', on: false }),
      ]),
    );
    expect(html).toContain('3 shots, 2 drawn, 2 switched off');
    expect(html).toContain('callsheet redo off-undrawn');
    expect(html).not.toContain('No image');
    expect(html.match(/data:image\/webp/g)).toHaveLength(2);
  });

  it('can be mailed: pictures are made small, and a system without Korean fonts shows Korean', async () => {
    const large = await sharp({
      create: {
        width: 2048,
        height: 1152,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 20 },
        background: '#000',
      },
    })
      .png()
      .toBuffer();
    const { html } = await renderContactSheet(sheet([shot({ image: large, caption: '우체통이 말을 했다' })]));
    expect(html.length).toBeLessThan(large.length / 10);
    const small = /data:image\/webp;base64,([^"]+)/.exec(html)?.[1] ?? '';
    expect(await probeImage(Buffer.from(small, 'base64'))).toMatchObject({ ok: true, width: 640, height: 360 });
    expect(html).toContain('data:font/woff2;base64,');
    expect((await renderContactSheet(sheet([shot()]))).html).not.toContain('data:font/woff2');
  });

  it('keeps a sheet of any number of shots within what viewers open', () => {
    for (const count of [0, 1, 6, 63, 200, 2000]) {
      const layout = layoutFor(count);
      expect(layout.height).toBeLessThanOrEqual(16_000);
      expect(
        layout.columns * Math.ceil((layout.height - layout.header) / (layout.cell.height + layout.gap)),
      ).toBeGreaterThanOrEqual(count);
    }
  });

  it('writes a sheet without any shot', async () => {
    const { html, png } = await renderContactSheet(sheet([], { scenes: [] }));
    expect(html).toContain('0 shots, 0 drawn');
    expect(await probeImage(png)).toMatchObject({ ok: true });
  });

  it('writes both files whole under their names, replaces older ones, and leaves nothing else', async () => {
    const target = path.join(folder, 'local', '01');
    await writeContactSheet(sheet([shot()]), target);
    const written = await writeContactSheet(sheet([shot({ caption: 'second' })]), target);
    expect(written).toEqual({
      htmlPath: path.join(target, 'contact-sheet.html'),
      pngPath: path.join(target, 'contact-sheet.png'),
    });
    expect((await readdir(target)).sort()).toEqual(['contact-sheet.html', 'contact-sheet.png']);
    expect(await readFile(written.htmlPath, 'utf8')).toContain('second');
    expect(await probeImage(await readFile(written.pngPath))).toMatchObject({ ok: true });
  });

  it('names the folder that it cannot write to, and leaves what is there', async () => {
    const taken = path.join(folder, 'taken');
    await writeFile(taken, 'mine');
    await expect(writeContactSheet(sheet([shot()]), taken)).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining(taken),
    });
    expect(await readFile(taken, 'utf8')).toBe('mine');
  });
});
