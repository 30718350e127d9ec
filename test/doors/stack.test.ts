import { readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../src/embedded/process-identity';
import {
  childrenOf,
  HomeMaker,
  PATIENT,
  query,
  stackFiles,
  StackCommand,
  temporalForTests,
  untilAllGone,
  workerDiary,
} from './stack-commands';
import { eventually } from '../support/eventually';

/** Wide enough for a busy machine; nothing here is measured by it. */
jest.setTimeout(10 * 60_000);

let maker: HomeMaker;
let home: string;
let homes: string[];
let commands: StackCommand[] = [];

beforeAll(async () => {
  // The first time the server may have to be built.
  await temporalForTests();
  maker = await HomeMaker.prepare();
}, 30 * 60_000);
afterAll(() => maker.remove());
beforeEach(() => {
  homes = [];
  home = makeHome();
});
afterEach(async () => {
  for (const command of commands.reverse()) await command.end('SIGTERM');
  commands = [];
  for (const one of homes) {
    await untilAllGone(childrenOf(one));
    rmSync(one, { recursive: true, force: true });
  }
});

function makeHome(): string {
  const made = maker.make();
  homes.push(made);
  return made;
}

async function start(inHome = home, changes: Record<string, string | undefined> = {}): Promise<StackCommand> {
  const command = await StackCommand.start(inHome, changes);
  commands.push(command);
  return command;
}

test('SIGINT stops all in order and leaves neither a process nor a lock; who had joined is told, and starts an own stack', async () => {
  const both = [await start(), await start()];
  const opened = await Promise.all(both.map((command) => command.opened()));
  // They began at once in one home: one owns the stack, the other joins it.
  expect(opened.map((event) => event.joined).sort()).toEqual([false, true]);
  expect(new Set(opened.map((event) => event.databaseUrl)).size).toBe(1);
  const owner = both[opened.findIndex((event) => event.joined === false)];
  const guest = both[opened.findIndex((event) => event.joined === true)];

  const children = childrenOf(home);
  expect(await owner?.end('SIGINT')).toBe(0);
  expect(children.filter(isAlive)).toEqual([]);
  expect(workerDiary(home).at(-1)).toMatch(/told to stop$/);
  expect(stackFiles(home)).toEqual([]);
  // An orderly stop of PostgreSQL removes its own lock.
  expect(readdirSync(path.join(home, 'postgres'))).not.toContain('postmaster.pid');
  await guest?.event((event) => event.joinedStackEnded === true);

  expect(await (await start()).opened()).toMatchObject({ joined: false });
});

test('after kill -9 no child lives on, or the next start ends what was left; each time it has all data', async () => {
  const first = await start();
  const { databaseUrl } = await first.opened();
  await query(databaseUrl, 'CREATE TABLE survivor AS SELECT 42 AS answer');
  const children = childrenOf(home);
  await first.end('SIGKILL');
  await untilAllGone(children);
  expect(workerDiary(home).at(-1)).toMatch(/parent gone$/);

  const second = await start();
  const again = await second.opened();
  expect(again.joined).toBe(false);
  expect(await query(again.databaseUrl, 'SELECT answer FROM survivor')).toEqual([{ answer: 42 }]);

  // Now the keeper as well; frozen first, so that it cannot do its work between the two kills.
  const left = childrenOf(home);
  const keeper = left.find((child) => child.name === 'keeper');
  process.kill(keeper?.pid ?? 0, 'SIGSTOP');
  await second.end('SIGKILL');
  process.kill(keeper?.pid ?? 0, 'SIGKILL');
  expect(left.filter((child) => child.name === 'postgres').every(isAlive)).toBe(true);

  const third = await start();
  const opened = await third.opened();
  expect(left.filter(isAlive)).toEqual([]);
  expect(await third.event((event) => event.said?.includes('postgres') === true)).toBeDefined();
  expect(await query(opened.databaseUrl, 'SELECT answer FROM survivor')).toEqual([{ answer: 42 }]);
});

test('a command that is interrupted while its stack starts ends what has started, in order, and leaves no lock', async () => {
  const command = await start(home, { STACK_WORKER: 'never ready' });
  await eventually('the worker starts', () => workerDiary(home).at(-1)?.endsWith('started'), PATIENT);
  const children = await eventually(
    'the worker is written down',
    () => childrenOf(home).some((child) => child.name === 'worker') && childrenOf(home),
    PATIENT,
  );
  expect(await command.end('SIGINT')).toBe(130);
  expect(await command.event((event) => event.givenUp === true)).toBeDefined();
  expect(children.filter(isAlive)).toEqual([]);
  expect(workerDiary(home).at(-1)).toMatch(/told to stop$/);
  expect(stackFiles(home)).toEqual([]);
});

test('a command that is interrupted while its database starts leaves nothing either', async () => {
  const command = await start();
  const children = await eventually(
    'PostgreSQL is written down',
    () => childrenOf(home).some((child) => child.name === 'postgres') && childrenOf(home),
    PATIENT,
  );
  // On a machine that is busy enough the stack may be open by now: that is an orderly stop.
  expect([130, 0]).toContain(await command.end('SIGTERM'));
  expect(children.filter(isAlive)).toEqual([]);
  expect(stackFiles(home)).toEqual([]);
});

test('a home that is moved away under its stack ends nothing but what needs it, and Ctrl-C still stops all the rest', async () => {
  const command = await start();
  await command.opened();
  const children = childrenOf(home);
  const away = `${home}-away`;
  homes.push(away);
  renameSync(home, away);
  process.kill(children.find((child) => child.name === 'postgres')?.pid ?? 0, 'SIGKILL');
  await command.event((event) => event.said?.includes('children.json cannot be written') === true);
  await command.event((event) => event.said?.startsWith('postgres did not start') === true);
  expect(children.filter(isAlive).map((child) => child.name)).not.toContain('postgres');
  expect(children.filter(isAlive)).toHaveLength(children.length - 1);
  expect(await command.end('SIGINT')).toBe(0);
  expect(children.filter(isAlive)).toEqual([]);
});

test('stacks of two homes run side by side, and one that is killed leaves the other alone', async () => {
  const other = makeHome();
  const [one, two] = [await start(), await start(other)];
  const [first, second] = [await one.opened(), await two.opened()];
  expect(first.databaseUrl).not.toBe(second.databaseUrl);
  const killed = childrenOf(home);
  await one.end('SIGKILL');
  await untilAllGone(killed);
  expect(childrenOf(other).every(isAlive)).toBe(true);
  expect(await query(second.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a database that does not answer is an error of its own, and nothing is started for it', async () => {
  const command = await start(home, { DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none' });
  expect(await command.event((event) => event.error !== undefined)).toMatchObject({ error: 'db.unavailable' });
  expect(readdirSync(home)).toEqual(['postgres']);
});
