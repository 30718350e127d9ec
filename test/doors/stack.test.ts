import { once } from 'node:events';
import { createServer } from 'node:net';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../src/embedded/process-identity';
import {
  childrenOf,
  HomeMaker,
  openDatabaseOnly,
  query,
  StackCommand,
  temporalForTests,
  untilAllGone,
  workerDiary,
} from './stack-commands';
import { eventually } from '../support/eventually';

let maker: HomeMaker;
let home: string;
let commands: StackCommand[] = [];

beforeAll(async () => {
  // The first time the server may have to be built.
  await temporalForTests();
  maker = await HomeMaker.prepare();
}, 30 * 60_000);
afterAll(() => maker.remove());
beforeEach(() => {
  home = maker.make();
});
afterEach(async () => {
  for (const command of commands.reverse()) await command.end('SIGTERM');
  commands = [];
  await untilAllGone(childrenOf(home));
  rmSync(home, { recursive: true, force: true });
});

async function start(inHome = home, changes: Record<string, string | undefined> = {}): Promise<StackCommand> {
  const command = await StackCommand.start(inHome, changes);
  commands.push(command);
  return command;
}

test('SIGINT stops all in order and leaves neither a process nor a lock', async () => {
  const owner = await start();
  await owner.opened();
  const children = childrenOf(home);
  expect(await owner.end('SIGINT')).toBe(0);
  expect(children.filter(isAlive)).toEqual([]);
  expect(workerDiary(home).at(-1)).toMatch(/told to stop$/);
  expect(readdirSync(home).filter((name) => /^stack\.|^children/.test(name))).toEqual([]);
  // An orderly stop of PostgreSQL removes its own lock.
  expect(existsSync(path.join(home, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('after kill -9 of the parent no child lives on, and the next start has all data', async () => {
  const first = await start();
  const { databaseUrl } = await first.opened();
  await query(databaseUrl, 'CREATE TABLE survivor AS SELECT 42 AS answer');
  const children = childrenOf(home);
  await first.end('SIGKILL');
  await untilAllGone(children);
  expect(workerDiary(home).at(-1)).toMatch(/parent gone$/);

  const second = await start();
  const opened = await second.opened();
  expect(opened.joined).toBe(false);
  expect(await query(opened.databaseUrl, 'SELECT answer FROM survivor')).toEqual([{ answer: 42 }]);
});

test('what is left after parent and keeper were killed is ended by the next start, with all data', async () => {
  const first = await start();
  const { databaseUrl } = await first.opened();
  await query(databaseUrl, 'CREATE TABLE survivor AS SELECT 42 AS answer');
  const left = childrenOf(home);
  const keeper = left.find((child) => child.name === 'keeper');
  // Frozen first, so that it cannot do its work between the two kills.
  process.kill(keeper?.pid ?? 0, 'SIGSTOP');
  await first.end('SIGKILL');
  process.kill(keeper?.pid ?? 0, 'SIGKILL');
  expect(left.filter((child) => child.name === 'postgres').every(isAlive)).toBe(true);

  const second = await start();
  const opened = await second.opened();
  expect(left.filter(isAlive)).toEqual([]);
  expect(await second.event((event) => event.said?.includes('postgres') === true)).toBeDefined();
  expect(await query(opened.databaseUrl, 'SELECT answer FROM survivor')).toEqual([{ answer: 42 }]);
});

test('a home keeps its addresses from one stack to the next, unless another program has a port by then', async () => {
  const stack = await openDatabaseOnly(home);
  await stack.stop();
  const again = await openDatabaseOnly(home);
  await again.stop();
  expect(again.databaseUrl).toBe(stack.databaseUrl);
  const squatter = createServer().listen(Number(new URL(stack.databaseUrl).port), '127.0.0.1');
  try {
    await once(squatter, 'listening');
    const third = await openDatabaseOnly(home);
    expect(await query(third.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await third.stop();
    expect(third.databaseUrl).not.toBe(stack.databaseUrl);
    expect(squatter.listening).toBe(true);
  } finally {
    squatter.close();
  }
});

test('a joined command is told when the owner stops, and one that waits then has a stack of its own', async () => {
  const owner = await start();
  await owner.opened();
  const guest = await start();
  await guest.opened();
  await owner.end('SIGTERM');
  await guest.event((event) => event.joinedStackEnded === true);
  const next = await start();
  expect(await next.opened()).toMatchObject({ joined: false });
});

test('two that start at once in one home: one owns the stack, the other joins it', async () => {
  const both = [await start(), await start()];
  const opened = await Promise.all(both.map((command) => command.opened()));
  expect(opened.map((event) => event.joined).sort()).toEqual([false, true]);
  expect(new Set(opened.map((event) => event.databaseUrl)).size).toBe(1);
});

test('stacks of two homes run side by side, and one that is killed leaves the other alone', async () => {
  const other = maker.make();
  try {
    const [one, two] = [await start(), await start(other)];
    const [first, second] = [await one.opened(), await two.opened()];
    expect(first.databaseUrl).not.toBe(second.databaseUrl);
    const killed = childrenOf(home);
    await one.end('SIGKILL');
    await untilAllGone(killed);
    expect(childrenOf(other).every(isAlive)).toBe(true);
    expect(await query(second.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await two.end('SIGTERM');
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test('a reader that keeps the database open gives way to a command that needs everything', async () => {
  const reader = await openDatabaseOnly(home);
  let wanted = false;
  reader.onEnd(() => (wanted = true));
  const runner = await start();
  await eventually('the reader is asked to give way', () => wanted);
  await reader.stop();
  expect(await runner.opened()).toMatchObject({ joined: false });
});

test('a database that does not answer is an error of its own, and nothing is started for it', async () => {
  const command = await start(home, { DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none' });
  expect(await command.event((event) => event.error !== undefined)).toMatchObject({ error: 'db.unavailable' });
  expect(readdirSync(home)).toEqual(['postgres']);
});
