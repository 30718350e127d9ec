import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { findLiveStack } from '../../src/embedded/live-stack';
import { isAlive } from '../../src/embedded/process-identity';
import { childrenOf, makeTestHome, query, StackCommand, temporalForTests, untilAllGone } from './stack-commands';

/** Wide enough for a busy machine; nothing here is measured by it. */
jest.setTimeout(10 * 60_000);

/** One stack for all tests of this file: each leaves it running, or has it started again by itself. */
let home: string;
let owner: StackCommand | undefined;

beforeAll(async () => {
  await temporalForTests();
  home = makeTestHome();
  owner = await StackCommand.start(home, {}, ['real-api']);
  await owner.opened();
}, 30 * 60_000);
afterAll(async () => {
  await owner?.end('SIGTERM');
  await untilAllGone(childrenOf(home));
  rmSync(home, { recursive: true, force: true });
});

function live(): StackCommand {
  if (owner === undefined) throw new Error('The stack did not start.');
  return owner;
}

const opened = () => live().opened();

test('a second command joins the live stack; ending it leaves the stack to its owner', async () => {
  const { databaseUrl } = await opened();
  const before = childrenOf(home);
  expect(before.map((child) => child.name).sort()).toEqual(['api', 'keeper', 'postgres', 'temporal', 'worker']);

  const guest = await StackCommand.start(home);
  expect(await guest.opened()).toMatchObject({ joined: true, databaseUrl });
  await guest.end('SIGTERM');
  expect(childrenOf(home)).toEqual(before);
  expect(before.every(isAlive)).toBe(true);
});

test('stack.json says where everything is, only its owner may read it, and the API answers there', async () => {
  const { databaseUrl } = await opened();
  const file = path.join(home, 'stack.json');
  const said = JSON.parse(readFileSync(file, 'utf8')) as { readonly apiUrl: string };
  expect(said).toEqual({
    pid: live().process.pid,
    databaseUrl,
    temporalAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    temporalUiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
  });
  expect(statSync(file).mode & 0o077).toBe(0);
  expect((await fetch(new URL('/readyz', said.apiUrl))).status).toBe(200);
});

test('a stack says who keeps it: a run takes it with it, and a detached one must not count on it', () => {
  expect(findLiveStack(home)?.keptBy).toBe('run');
});

test('a worker that is killed is started again, visibly, and its neighbours are left alone', async () => {
  const before = childrenOf(home);
  const worker = before.find((child) => child.name === 'worker');
  process.kill(worker?.pid ?? 0, 'SIGKILL');
  expect((await live().event((event) => event.said?.startsWith('worker ended') === true)).said).toContain(
    'signal SIGKILL',
  );
  await live().event((event) => event.said?.startsWith('worker runs again') === true);
  const after = childrenOf(home);
  expect(after.find((child) => child.name === 'worker')?.pid).not.toBe(worker?.pid);
  expect(after.filter((child) => child.name !== 'worker')).toEqual(before.filter((child) => child.name !== 'worker'));
});

test('PostgreSQL that is killed comes back at the same address, with its data', async () => {
  const { databaseUrl } = await opened();
  await query(databaseUrl, 'CREATE TABLE survivor AS SELECT 42 AS answer');
  process.kill(childrenOf(home).find((child) => child.name === 'postgres')?.pid ?? 0, 'SIGKILL');
  await live().event((event) => event.said?.startsWith('postgres runs again') === true);
  expect(await query(databaseUrl, 'SELECT answer FROM survivor')).toEqual([{ answer: 42 }]);
});
