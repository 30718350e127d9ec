import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ChildrenRecord, readChildren } from '../../src/embedded/children-file';

let folder: string;
let file: string;
let lines: string[];
let record: ChildrenRecord;

const POSTGRES = { pid: 4_000_001, started: 'then' };
const WORKER = { pid: 4_000_002, started: 'then' };

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-children-'));
  file = path.join(folder, 'children.json');
  lines = [];
  record = new ChildrenRecord(file, (line) => lines.push(line));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a child that ended is written out of the file; its neighbour, and one that took its place, stay', () => {
  record.add('postgres', POSTGRES);
  record.add('worker', WORKER);
  record.remove('worker', { ...WORKER, pid: 1 });
  expect(readChildren(file).map((child) => child.name)).toEqual(['postgres', 'worker']);
  record.remove('worker', WORKER);
  expect(readChildren(file)).toEqual([{ name: 'postgres', ...POSTGRES }]);
});

test('a home that was removed under the stack breaks nothing: it is said once, and the keeper is told all the same', () => {
  const told: number[] = [];
  record.onChange(() => told.push(record.all.length));
  record.add('postgres', POSTGRES);
  rmSync(folder, { recursive: true });
  record.add('worker', WORKER);
  record.remove('postgres', POSTGRES);
  expect(told).toEqual([1, 2, 1]);
  expect(lines).toEqual([expect.stringContaining('children.json cannot be written')]);
});

test('a child whose end is noticed after the stack has stopped brings the file back for nobody', () => {
  record.add('postgres', POSTGRES);
  record.close();
  record.remove('postgres', POSTGRES);
  expect({ there: existsSync(file), lines }).toEqual({ there: false, lines: [] });
});

test('a file that a power cut tore is a record of nobody', () => {
  writeFileSync(file, '[{"name":"postgres","pid":4000');
  expect(readChildren(file)).toEqual([]);
});
