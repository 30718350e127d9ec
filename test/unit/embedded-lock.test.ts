import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readLock, takeLock } from '../../src/embedded/file-lock';
import { identifySelf } from '../../src/embedded/process-identity';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-lock-'));
  file = path.join(folder, 'stack.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const self = identifySelf();

function leaveLock(holder: { pid: number; started: string }): void {
  writeFileSync(file, JSON.stringify({ id: 'left-behind', purpose: 'everything', ...holder }));
}

test('the lock of a living process survives whoever asks for it', () => {
  const first = takeLock(file, 'everything');
  expect(first.held).toBe(true);
  expect(takeLock(file, 'database')).toMatchObject({
    held: false,
    holder: { pid: process.pid, purpose: 'everything' },
  });
  expect(readLock(file)).toMatchObject({ pid: process.pid });
});

test('a released lock is free again, and leaves no file behind', () => {
  const first = takeLock(file, 'everything');
  if (first.held) first.lock.release();
  expect(readdirSync(folder)).toEqual([]);
  expect(takeLock(file, 'database').held).toBe(true);
});

test('the lock of a process that ended is taken over', () => {
  leaveLock({ pid: 2 ** 22 + 1, started: self.started });
  expect(takeLock(file, 'everything').held).toBe(true);
  expect(readdirSync(folder)).toEqual(['stack.lock']);
});

test('a pid that another process has by now holds no lock', () => {
  leaveLock({ pid: process.pid, started: 'before the reboot' });
  expect(takeLock(file, 'everything').held).toBe(true);
});

test('a lock that a power cut left empty is taken over', () => {
  writeFileSync(file, '');
  expect(takeLock(file, 'everything').held).toBe(true);
});

test('who releases late does not remove the lock of the one who took over', () => {
  const first = takeLock(file, 'everything');
  leaveLock({ pid: process.pid, started: self.started });
  if (first.held) first.lock.release();
  expect(readLock(file)?.id).toBe('left-behind');
});

test('while a living process clears a dead lock away, another one leaves both alone', () => {
  leaveLock({ pid: 2 ** 22 + 1, started: 'long ago' });
  const guard = `${file}.after-left-behind`;
  writeFileSync(guard, JSON.stringify({ id: 'guard', purpose: 'takeover', ...self }));
  expect(takeLock(file, 'everything')).toEqual({ held: false, holder: undefined });
  expect(readdirSync(folder).sort()).toEqual(['stack.lock', 'stack.lock.after-left-behind']);
});

test('one who died while clearing a dead lock away does not block it for ever', () => {
  leaveLock({ pid: 2 ** 22 + 1, started: 'long ago' });
  writeFileSync(
    `${file}.after-left-behind`,
    JSON.stringify({ id: 'guard', purpose: 'takeover', pid: 2 ** 22 + 2, started: 'long ago' }),
  );
  expect(takeLock(file, 'everything').held).toBe(true);
  expect(readdirSync(folder)).toEqual(['stack.lock']);
});
