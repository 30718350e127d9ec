import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createCommandLog } from '../../src/observability/command-log';

let home: string;
let onStandardError: string[];
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-log-'));
  onStandardError = [];
  const { writeSync } = fs;
  jest.spyOn(fs, 'writeSync').mockImplementation((fd: number, text: string) => {
    if (fd !== 2) return writeSync(fd, text);
    onStandardError.push((JSON.parse(text) as { msg: string }).msg);
    return text.length;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(home, { recursive: true, force: true });
});

function write(folder: string, level = 'info'): void {
  const log = createCommandLog({ level, role: 'cli', folder });
  log.info('quiet');
  log.warn('heard');
  log.error('loud');
}

test('in the folder that a stack has made it is a file, of the level that was asked for', () => {
  write(home);
  const lines = fs.readFileSync(path.join(home, 'cli.log'), 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['quiet', 'heard', 'loud']);
  expect(onStandardError).toEqual([]);
});

test('without that folder nothing is made, and warnings go to standard error', () => {
  write(path.join(home, 'none', 'logs'));
  expect(onStandardError).toEqual(['heard', 'loud']);
  expect(fs.readdirSync(home)).toEqual([]);
});

test('where the file cannot be made it is the same, and a higher level stays', () => {
  fs.mkdirSync(path.join(home, 'cli.log'));
  write(home);
  write(home, 'error');
  expect(onStandardError).toEqual(['heard', 'loud', 'loud']);
});
