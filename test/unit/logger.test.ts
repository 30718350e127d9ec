import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '../../src/observability/logger';

describe('a log on a full disk', () => {
  const { writeSync } = fs;
  let folder: string;
  let file: string;
  let isFull: boolean;
  let standardError: string[];

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-logger-'));
    file = path.join(folder, 'logs', 'worker.log');
    isFull = true;
    standardError = [];
    jest.spyOn(fs, 'writeSync').mockImplementation((fd: number, data: string) => {
      if (fd === 2) return standardError.push(data);
      if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return writeSync(fd, data);
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  it('throws nothing into the work that writes it, and says so on standard error once', () => {
    const log = createLogger({ level: 'info', role: 'worker', file });
    for (const line of ['one', 'two', 'three']) expect(() => log.warn(line)).not.toThrow();
    expect(standardError).toEqual([
      `warning: the log at ${file} cannot be written: ENOSPC: no space left on device, write. Work goes on without it.\n`,
    ]);
  });

  it('goes on when there is room again, and has lost no line of a short while', () => {
    const log = createLogger({ level: 'info', role: 'worker', file });
    log.warn('while it was full');
    isFull = false;
    log.child({ step: 'world_guide' }).warn('after');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['while it was full', 'after']);
  });

  it('of a process that logs to standard error, which is full itself, throws nothing either, and does not hang', () => {
    let tries = 0;
    jest.spyOn(fs, 'writeSync').mockImplementation((_fd, data) => {
      tries += 1;
      if (tries > 20) return data.length; // whoever tries for ever shall not hang the test
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    const log = createLogger({ level: 'info', role: 'api' });
    expect(() => log.warn('one')).not.toThrow();
    expect(() => log.child({}).fatal('two')).not.toThrow();
    expect(tries).toBeLessThan(10);
  });
});
