import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../src/embedded/process-identity';
import { childrenOf, makeTestHome, query, StackCommand, temporalForTests, untilAllGone } from './stack-commands';

/** One stack for all tests of this file: each leaves it running, or has it started again by itself. */
let home: string;
let owner: StackCommand;

beforeAll(async () => {
  await temporalForTests();
  home = makeTestHome();
  owner = await StackCommand.start(home);
  await owner.opened();
}, 30 * 60_000);
afterAll(async () => {
  await owner.end('SIGTERM');
  await untilAllGone(childrenOf(home));
  rmSync(home, { recursive: true, force: true });
});

test('a second command joins the live stack; ending it leaves the stack to its owner', async () => {
  const { databaseUrl } = await owner.opened();
  const before = childrenOf(home);
  expect(before.map((child) => child.name).sort()).toEqual(['keeper', 'postgres', 'temporal', 'worker']);

  const guest = await StackCommand.start(home);
  expect(await guest.opened()).toMatchObject({ joined: true, databaseUrl });
  await guest.end('SIGTERM');
  expect(childrenOf(home)).toEqual(before);
  expect(before.every(isAlive)).toBe(true);
});

test('stack.json says where everything is, and only its owner may read it', async () => {
  const { databaseUrl } = await owner.opened();
  const file = path.join(home, 'stack.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    pid: owner.process.pid,
    databaseUrl,
    temporalAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    temporalUiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    apiUrl: existsSync(path.join(__dirname, '../../dist/src/http/main.js'))
      ? (expect.stringMatching(/^http:/) as string)
      : null,
  });
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('a worker that is killed is started again, visibly, and its neighbours are left alone', async () => {
  const before = childrenOf(home);
  const worker = before.find((child) => child.name === 'worker');
  process.kill(worker?.pid ?? 0, 'SIGKILL');
  expect((await owner.event((event) => event.said?.startsWith('worker ended') === true)).said).toContain(
    'signal SIGKILL',
  );
  await owner.event((event) => event.said?.startsWith('worker runs again') === true);
  const after = childrenOf(home);
  expect(after.find((child) => child.name === 'worker')?.pid).not.toBe(worker?.pid);
  expect(after.filter((child) => child.name !== 'worker')).toEqual(before.filter((child) => child.name !== 'worker'));
});

test('PostgreSQL that is killed comes back at the same address, with its data', async () => {
  const { databaseUrl } = await owner.opened();
  await query(databaseUrl, 'CREATE TABLE survivor AS SELECT 42 AS answer');
  process.kill(childrenOf(home).find((child) => child.name === 'postgres')?.pid ?? 0, 'SIGKILL');
  await owner.event((event) => event.said?.startsWith('postgres runs again') === true);
  expect(await query(databaseUrl, 'SELECT answer FROM survivor')).toEqual([{ answer: 42 }]);
});
