import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openTill } from '../../src/providers/offline/till';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'till-'));
  file = path.join(folder, 'books', 'till.jsonl');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const charge = (key: string) => ({
  key,
  step: 'scene_image_pipeline',
  item: 'shot-1',
  usd: 0.04,
  at: '2026-01-01T00:00:00.000Z',
});

async function booked(): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line) => {
    try {
      return [(JSON.parse(line) as { key: string }).key];
    } catch {
      return [];
    }
  });
}

describe('the till', () => {
  it('charges a key once, and other keys all the same', async () => {
    const till = openTill(file);
    expect(await till.charge(charge('a'))).toBe(true);
    expect(await till.charge(charge('a'))).toBe(false);
    expect(await till.charge(charge('b'))).toBe(true);
    expect(
      (await readFile(file, 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([charge('a'), charge('b')]);
  });

  it('knows what another process has charged meanwhile', async () => {
    const [ours, theirs] = [openTill(file), openTill(file)];
    await ours.charge(charge('a'));
    await theirs.charge(charge('b'));
    expect(await ours.charge(charge('b'))).toBe(false);
    expect(await theirs.charge(charge('a'))).toBe(false);
    expect(await booked()).toEqual(['a', 'b']);
  });

  it('charges a key once when it is asked for many times at once', async () => {
    const till = openTill(file);
    const answers = await Promise.all(Array.from({ length: 20 }, () => till.charge(charge('a'))));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await booked()).toEqual(['a']);
  });

  it('gives a torn last line no weight, and does not glue the next one to it', async () => {
    await openTill(file).charge(charge('a'));
    await appendFile(file, '{"key":"torn","step":"sce');
    const till = openTill(file);
    expect(await till.charge(charge('b'))).toBe(true);
    expect(await till.charge(charge('torn'))).toBe(true);
    expect(await till.charge(charge('a'))).toBe(false);
    expect(await booked()).toEqual(['a', 'b', 'torn']);
    expect(await openTill(file).charge(charge('b'))).toBe(false);
  });

  it('begins anew with a till that was emptied', async () => {
    const till = openTill(file);
    await till.charge(charge('a'));
    await truncate(file);
    expect(await till.charge(charge('a'))).toBe(true);
  });

  it('tells the caller when a line could not be written, and the next caller is served', async () => {
    await writeFile(path.join(folder, 'books'), 'a file where a folder should be');
    const till = openTill(file);
    await expect(till.charge(charge('a'))).rejects.toThrow();
    await rm(path.join(folder, 'books'));
    expect(await till.charge(charge('a'))).toBe(true);
  });
});
