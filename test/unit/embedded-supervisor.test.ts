import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ChildrenRecord, readChildren } from '../../src/embedded/children-file';
import { END_AT_ONCE } from '../../src/embedded/process-end';
import { isAlive } from '../../src/embedded/process-identity';
import { startedChild, type OnSpawned, type StartedChild } from '../../src/embedded/started-child';
import { supervise } from '../../src/embedded/supervisor';
import { eventually } from '../support/eventually';

let folder: string;
let file: string;
let record: ChildrenRecord;
let asked: AbortController;
let begun: StartedChild[];
const say = () => undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-supervisor-'));
  file = path.join(folder, 'children.json');
  record = new ChildrenRecord(file, say);
  asked = new AbortController();
  begun = [];
});
afterEach(async () => {
  for (const child of begun) await child.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that runs until it is ended. */
async function begin(spawned: OnSpawned): Promise<StartedChild> {
  const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const child = await startedChild('worker', program, END_AT_ONCE);
  begun.push(child);
  spawned(child);
  return child;
}

/** What the signal says when a start is given up. */
const given = new Error('given up');
const { signal } = new AbortController();

test('a start that is given up before it begins starts nothing', async () => {
  asked.abort(given);
  const start = jest.fn(begin);
  await expect(supervise({ name: 'worker', start, record, say, signal: asked.signal })).rejects.toBe(given);
  expect(start).not.toHaveBeenCalled();
});

test('a start that is given up before it is ready ends its program, and leaves it in no record', async () => {
  const start = async (spawned: OnSpawned) => {
    const child = await begin(spawned);
    asked.abort(given);
    // As every start does that waits for a program to get ready.
    await child.exited;
    throw new Error('it ended');
  };
  await expect(supervise({ name: 'worker', start, record, say, signal: asked.signal })).rejects.toBe(given);
  expect(begun.map((child) => isAlive(child.known))).toEqual([false]);
  expect(readChildren(file)).toEqual([]);
});

test('a signal that comes before the program is there ends it as soon as it is', async () => {
  const start = async (spawned: OnSpawned) => {
    asked.abort(given);
    return begin(spawned);
  };
  await expect(supervise({ name: 'worker', start, record, say, signal: asked.signal })).rejects.toBe(given);
  expect(begun.map((child) => isAlive(child.known))).toEqual([false]);
});

test('a signal after the start is none: the program lives on, and is stopped as usual', async () => {
  const part = await supervise({ name: 'worker', start: begin, record, say, signal: asked.signal });
  asked.abort(given);
  expect(readChildren(file).filter(isAlive)).toHaveLength(1);
  await part.stop();
  expect(begun.map((child) => isAlive(child.known))).toEqual([false]);
  expect(readChildren(file)).toEqual([]);
});

test.each([
  ['is ready at once', (child: StartedChild) => Promise.resolve(child)],
  // As every start does that waits for a program to get ready.
  ['gets ready later', (child: StartedChild) => child.exited.then(() => Promise.reject(new Error('it ended')))],
])('a program that is started again while it is to stop is ended, too: one that %s', async (_when, ready) => {
  let stopped: Promise<void> | undefined;
  const start = async (spawned: OnSpawned) => {
    if (begun.length === 0) return begin(spawned);
    // There is a start, and no program yet.
    stopped = part.stop();
    return ready(await begin(spawned));
  };
  const part = await supervise({ name: 'worker', start, record, say });
  await begun[0]!.end();
  await eventually(
    'the program is started again, and has ended',
    () => begun.length === 2 && !isAlive(begun[1]!.known),
  );
  await stopped;
  expect(readChildren(file)).toEqual([]);
});

test('a start that fails by itself is told as that, although it could have been given up', async () => {
  const start = () => Promise.reject(new Error('no such program'));
  await expect(supervise({ name: 'worker', start, record, say, signal })).rejects.toThrow('no such program');
});
