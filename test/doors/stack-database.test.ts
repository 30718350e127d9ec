import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../src/embedded/process-identity';
import { eventually } from '../support/eventually';
import {
  childrenOf,
  HomeMaker,
  openDatabaseOnly,
  PATIENT,
  query,
  StackCommand,
  temporalForTests,
} from './stack-commands';

/** Wide enough for a busy machine; nothing here is measured by it. */
jest.setTimeout(10 * 60_000);

let maker: HomeMaker;
let home: string;

beforeAll(async () => {
  await temporalForTests();
  maker = await HomeMaker.prepare();
}, 30 * 60_000);
afterAll(() => maker.remove());
beforeEach(() => {
  home = maker.make();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('for a command that only reads, PostgreSQL alone runs, and is gone afterwards', async () => {
  const stack = await openDatabaseOnly(home);
  expect(
    childrenOf(home)
      .map((child) => child.name)
      .sort(),
  ).toEqual(['keeper', 'postgres']);
  expect(await query(stack.databaseUrl, 'SELECT count(*)::int AS rows FROM step_run')).toEqual([{ rows: 0 }]);
  const children = childrenOf(home);
  await stack.stop();
  expect(children.filter(isAlive)).toEqual([]);
});

test('a postmaster.pid that names an unrelated living process blocks nothing, and that process lives on', async () => {
  const first = await openDatabaseOnly(home);
  await query(first.databaseUrl, 'CREATE TABLE survivor AS SELECT 42 AS answer');
  await first.stop();
  writeFileSync(
    path.join(home, 'postgres', 'postmaster.pid'),
    `${process.pid}\n${path.join(home, 'postgres')}\n1\n5432\n\n127.0.0.1\n`,
  );
  const second = await openDatabaseOnly(home);
  expect(await query(second.databaseUrl, 'SELECT answer FROM survivor')).toEqual([{ answer: 42 }]);
  await second.stop();
});

test('a folder that was never a database is set aside, not deleted', async () => {
  rmSync(path.join(home, 'postgres'), { recursive: true });
  mkdirSync(path.join(home, 'postgres'));
  writeFileSync(path.join(home, 'postgres', 'keepsake'), 'mine');
  const lines: string[] = [];
  const stack = await openDatabaseOnly(home, lines);
  await stack.stop();
  const aside = readdirSync(home).find((name) => name.startsWith('postgres.set-aside-')) ?? '';
  expect(readFileSync(path.join(home, aside, 'keepsake'), 'utf8')).toBe('mine');
  expect(lines).toEqual([expect.stringContaining(aside)]);
});

test('data of another major version is refused with both versions named, and left as it is', async () => {
  rmSync(path.join(home, 'postgres'), { recursive: true });
  mkdirSync(path.join(home, 'postgres'));
  writeFileSync(path.join(home, 'postgres', 'PG_VERSION'), '12\n');
  await expect(openDatabaseOnly(home)).rejects.toMatchObject({
    code: 'stack.start_failed',
    message: expect.stringMatching(/PostgreSQL 12.*18/) as string,
  });
  expect(readdirSync(path.join(home, 'postgres'))).toEqual(['PG_VERSION']);
  expect(existsSync(path.join(home, 'stack.lock'))).toBe(false);
});

test('one that waits for a reader and is interrupted leaves it alone; to one that needs everything the reader gives way', async () => {
  const reader = await openDatabaseOnly(home);
  let wanted = false;
  reader.onEnd(() => (wanted = true));
  const waiting = await StackCommand.start(home);
  await waiting.event((event) => event.said?.includes('is reading the database') === true);
  expect(await waiting.end('SIGINT')).toBe(130);
  expect(await query(reader.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

  const runner = await StackCommand.start(home);
  try {
    await eventually('the reader is asked to give way', () => wanted, PATIENT);
    await reader.stop();
    expect(await runner.opened()).toMatchObject({ joined: false });
  } finally {
    await reader.stop();
    await runner.end('SIGTERM');
  }
});
