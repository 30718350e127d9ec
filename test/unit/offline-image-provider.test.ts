import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createOfflineProvider } from '../../src/providers/offline/provider';
import type { ImageRequest, SendOptions } from '../../src/providers/port';

const REQUEST: ImageRequest = {
  kind: 'image',
  provider: 'offline',
  model: 'offline-artist-1',
  task: 'background',
  promptVersion: '1',
  prompt: 'a place',
  card: { place: 'Harbour', interior: 'EXT' },
  style: 'ink',
  width: 320,
  height: 180,
  references: [],
};

let folder: string;
let till: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'offline-'));
  till = path.join(folder, 'till.jsonl');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const options = (idempotencyKey: string, deadline: AbortSignal = new AbortController().signal): SendOptions => ({
  idempotencyKey,
  deadline,
  label: { stepId: 'background_render', itemId: 'harbour' },
});
const lines = async () =>
  (await readFile(till, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the offline provider', () => {
  it('gives the same key the same bytes and charges it once, also when the process is another', async () => {
    const first = await createOfflineProvider({ delayMs: 0, till, priceUsd: 0.05 }).send(REQUEST, options('key-1'));
    const again = await createOfflineProvider({ delayMs: 0, till, priceUsd: 0.05 }).send(REQUEST, options('key-1'));
    expect(first).toMatchObject({ outcome: 'answer', contentType: 'image/png', costUsd: 0.05, usage: { images: 1 } });
    expect(again).toEqual(first);
    expect(await lines()).toEqual([
      { key: 'key-1', step: 'background_render', item: 'harbour', usd: 0.05, at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('charges what its project pays, and leaves the price of others alone', async () => {
    const base = createOfflineProvider({ delayMs: 0, till, priceUsd: 0 });
    const dear = base.withPrice(2);
    expect([base.estimateUsd(REQUEST), dear.estimateUsd(REQUEST)]).toEqual([0, 2]);
    expect(dear.limits).toBe(base.limits);
    expect(await dear.send(REQUEST, options('dear'))).toMatchObject({ costUsd: 2 });
    expect(await base.send(REQUEST, options('cheap'))).toMatchObject({ costUsd: 0 });
    expect((await lines()).map(({ key, usd }) => [key, usd])).toEqual([
      ['dear', 2],
      ['cheap', 0],
    ]);
  });

  it('is in doubt when the deadline cuts the wait, and has booked the charge by then', async () => {
    const deadline = new AbortController();
    const provider = createOfflineProvider({
      delayMs: 3_600_000,
      till,
      priceUsd: 1,
      nowMs: () => {
        setImmediate(() => deadline.abort());
        return 0;
      },
    });
    expect(await provider.send(REQUEST, options('slow', deadline.signal))).toMatchObject({ outcome: 'in_doubt' });
    expect(await lines()).toEqual([
      { key: 'slow', step: 'background_render', item: 'harbour', usd: 1, at: '1970-01-01T00:00:00.000Z' },
    ]);
    expect(await createOfflineProvider({ delayMs: 0, till, priceUsd: 1 }).send(REQUEST, options('slow'))).toMatchObject(
      { outcome: 'answer' },
    );
    expect(await lines()).toHaveLength(1);
  });

  it('is certainly not charged when the till cannot be written', async () => {
    const provider = createOfflineProvider({ delayMs: 0, till: folder, priceUsd: 1 });
    expect(await provider.send(REQUEST, options('key'))).toMatchObject({
      outcome: 'not_charged',
      code: 'provider.unavailable',
    });
  });

  it('is certainly not charged when the deadline passed before it began', async () => {
    const provider = createOfflineProvider({ delayMs: 0, till, priceUsd: 1 });
    expect(await provider.send(REQUEST, options('late', AbortSignal.abort()))).toMatchObject({
      outcome: 'not_charged',
    });
    await expect(readFile(till)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
