import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { StackHandle } from '../../src/cli/dependencies';
import { main } from '../../src/cli/main';
import { realDependencies } from '../../src/cli/real-dependencies';
import { readConfig } from '../../src/config';
import { writeStackFile, type StackFile } from '../../src/embedded/stack-file';
import { stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

const opening: (() => StackHandle)[] = [];
jest.mock('../../src/embedded/stack', () => ({ openStack: () => Promise.resolve(opening.shift()?.()) }));

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-up-'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const stackOf = (pid: number): StackFile => ({
  pid,
  databaseUrl: `postgres://callsheet:secret@127.0.0.1:${pid}/callsheet`,
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: 'http://127.0.0.1:8233',
  apiUrl: null,
});

/** `up` that joins a stack of process 11, takes over when that ends, and is interrupted in its own, of process 22. */
async function joinsAndTakesOver(...argv: string[]) {
  const joined = stackDouble({ joined: true });
  opening.push(
    () => {
      writeStackFile(path.join(home, 'stack.json'), stackOf(11));
      setTimeout(() => joined.end(), 50);
      return joined.stack;
    },
    () => {
      writeStackFile(path.join(home, 'stack.json'), stackOf(22));
      setTimeout(() => process.emit('SIGINT', 'SIGINT'), 50);
      return stackDouble().stack;
    },
  );
  const double = terminalDouble();
  const dependencies = { ...realDependencies, readConfig: () => readConfig({ CALLSHEET_HOME: home }) };
  const code = await main(['up', ...argv], double.streams, dependencies);
  return { code, out: double.out(), err: double.err() };
}

const STACK_ENDED = 'The stack that was joined has ended; starting one here.';

test('up --json prints what is in stack.json once for each stack, and all else to standard error', async () => {
  const { code, out, err } = await joinsAndTakesOver('--json');
  expect(code).toBe(0);
  // Values one after the other, as jq reads them.
  expect(JSON.parse(`[${out.replaceAll('}\n{', '},{')}]`) as unknown).toEqual([stackOf(11), stackOf(22)]);
  for (const said of ['A stack runs already', STACK_ENDED, 'The stack runs']) expect(err).toContain(said);
});

test('without --json it is text, and no password is in it', async () => {
  const { out, err } = await joinsAndTakesOver();
  for (const said of ['A stack runs already', STACK_ENDED, 'The stack runs']) expect(out).toContain(said);
  expect(out + err).not.toContain('secret');
});

test.each(['worker', 'api'])('%s prints no answer, and refuses --json', async (command) => {
  const double = terminalDouble();
  expect(await main([command, '--json'], double.streams, realDependencies)).toBe(2);
  expect(double.err()).toContain("unknown option '--json'");
});
