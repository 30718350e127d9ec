import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkTemporal } from '../../src/embedded/temporal-binary';
import { cachedTemporal, putInCache, useCache } from '../../src/embedded/temporal-cache';
import { findTemporal } from '../../src/embedded/temporal-finder';

const GOOD = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';
let folder: string;
let cacheDir: string;
let lines: string[];
const say = (line: string) => void lines.push(line);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-finder-'));
  cacheDir = path.join(folder, 'cache');
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

function saying(file: string, answer: string): string {
  return program(file, `#!/bin/sh\necho '${answer}'\n`);
}

test.each([
  ['a path that leads nowhere', (file: string) => file, 'no such file'],
  ['another program', (file: string) => saying(file, 'temporal, a calendar'), "not Temporal's command line"],
  [
    'a release that is too old',
    (file: string) => saying(file, 'temporal version 0.10.0 (Server 1.22.0)'),
    'older than',
  ],
  ['half of a download', (file: string) => program(file, '\u007fELF\u0002\u0001\u0001'), 'a broken download'],
])('%s in TEMPORAL_CLI_PATH is an error, whatever the cache holds', async (_, make, reason) => {
  saying(cachedTemporal(cacheDir), GOOD);
  const named = make(path.join(folder, 'named'));
  await expect(findTemporal({ temporalCliPath: named, cacheDir }, say, { searchPath: '' })).rejects.toMatchObject({
    code: 'temporal.no_server',
    message: expect.stringContaining(reason) as string,
  });
  expect(existsSync(cachedTemporal(cacheDir))).toBe(true);
});

test('TEMPORAL_CLI_PATH outweighs PATH, and PATH the cache', async () => {
  const named = saying(path.join(folder, 'named'), GOOD);
  const onPath = saying(path.join(folder, 'bin', 'temporal'), GOOD);
  const cached = saying(cachedTemporal(cacheDir), GOOD);
  const searchPath = path.dirname(onPath);
  expect(await findTemporal({ temporalCliPath: named, cacheDir }, say, { searchPath })).toEqual({
    file: named,
    source: 'TEMPORAL_CLI_PATH',
  });
  expect(await findTemporal({ temporalCliPath: undefined, cacheDir }, say, { searchPath })).toEqual({
    file: onPath,
    source: 'PATH',
  });
  expect(lines).toEqual([]);
  expect(await findTemporal({ temporalCliPath: undefined, cacheDir }, say, { searchPath: '' })).toEqual({
    file: cached,
    source: 'cache',
  });
  expect(lines).toHaveLength(1);
});

test('an unusable program on PATH is said in one line, and the cache is used', async () => {
  const broken = saying(path.join(folder, 'bin', 'temporal'), 'temporal version 0.1.0 (Server 1.20.0)');
  const cached = saying(cachedTemporal(cacheDir), GOOD);
  expect(
    await findTemporal({ temporalCliPath: undefined, cacheDir }, say, { searchPath: path.dirname(broken) }),
  ).toEqual({
    file: cached,
    source: 'cache',
  });
  expect(lines).toEqual([expect.stringContaining(broken)]);
  expect(existsSync(broken)).toBe(true);
});

test('a broken cached server is removed with one line; its folder stays', async () => {
  const cached = program(cachedTemporal(cacheDir), 'half a download');
  expect(await useCache(cacheDir, say)).toBeUndefined();
  expect(existsSync(cached)).toBe(false);
  expect(existsSync(path.dirname(cached))).toBe(true);
  expect(lines).toEqual([expect.stringContaining('broken')]);
});

test('a program that does not run never replaces the cached one', async () => {
  const cached = saying(cachedTemporal(cacheDir), GOOD);
  const broken = program(path.join(folder, 'download'), '\u007fELF');
  expect(await putInCache(cacheDir, broken)).toMatchObject({ ok: false });
  expect(await checkTemporal(cached)).toEqual({ ok: true, version: GOOD });
});
