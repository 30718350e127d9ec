import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { onEndSignals } from '../../src/embedded/end-signals';
import { blockedAt } from '../../src/embedded/postgres-reach';
import { settlePidFile } from '../../src/embedded/postgres-pid-file';
import { endProcess, END_AT_ONCE } from '../../src/embedded/process-end';
import { identify, isAlive } from '../../src/embedded/process-identity';
import { nextWaitMs } from '../../src/embedded/supervisor';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-processes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the wait before a restart doubles up to ten seconds, and begins anew after a minute of life', () => {
  const waits = [0, 0, 0, 0, 0, 0, 0, 0].reduce<number[]>((so_far) => [...so_far, nextWaitMs(so_far.at(-1), 0)], []);
  expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect(nextWaitMs(10_000, 59_999)).toBe(10_000);
  expect(nextWaitMs(10_000, 60_000)).toBe(200);
});

test('postmaster.pid of an unrelated living program is rewritten to our pid, and that program lives on', async () => {
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const known = identify(bystander.pid ?? 0);
  try {
    writeFileSync(
      path.join(folder, 'postmaster.pid'),
      `${bystander.pid}\n${folder}\n1\n5432\n\n127.0.0.1\n  5432001   12345\nready\n`,
    );
    expect(await settlePidFile(folder)).toBe('pid taken by another program');
    // The rest stays: PostgreSQL finds shared memory that is still in use by it.
    expect(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8')).toBe(
      `${process.pid}\n${folder}\n1\n5432\n\n127.0.0.1\n  5432001   12345\nready\n`,
    );
    expect(known && isAlive(known)).toBe(true);
  } finally {
    if (known) await endProcess(known, END_AT_ONCE);
  }
});

test('postmaster.pid of a program that ended is left to PostgreSQL', async () => {
  const text = `${2 ** 22 + 1}\n${folder}\n`;
  writeFileSync(path.join(folder, 'postmaster.pid'), text);
  expect(await settlePidFile(folder)).toBe('stale');
  expect(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8')).toBe(text);
});

test('an empty postmaster.pid, left by a power cut, does not block the next start', async () => {
  writeFileSync(path.join(folder, 'postmaster.pid'), '');
  await settlePidFile(folder);
  expect(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8')).toMatch(new RegExp(`^${process.pid}\\n`));
});

test('one Ctrl-C that npm passes on a second time counts once; a later one counts again', () => {
  const seen: string[] = [];
  let nowMs = 0;
  const stop = onEndSignals({ first: () => seen.push('first'), again: () => seen.push('again') }, () => nowMs);
  try {
    process.emit('SIGINT', 'SIGINT');
    nowMs = 20;
    process.emit('SIGINT', 'SIGINT');
    expect(seen).toEqual(['first']);
    nowMs = 2_000;
    process.emit('SIGINT', 'SIGINT');
    expect(seen).toEqual(['first', 'again']);
  } finally {
    stop();
  }
  expect(process.listeners('SIGINT')).toEqual([]);
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot('a folder that another user may not enter is named, the outermost first', () => {
  // mkdtemp makes folders that only their owner may enter.
  expect(blockedAt(path.join(folder, 'deeper'), { uid: 65_534, gid: 65_534 })).toBe(folder);
  expect(blockedAt('/', { uid: 65_534, gid: 65_534 })).toBeUndefined();
});
