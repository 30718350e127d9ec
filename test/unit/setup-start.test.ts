import fs from 'node:fs';
import path from 'node:path';
import { eventually } from '../support/eventually';

const main = jest.fn((_argv: readonly string[]) => Promise.resolve(0));
jest.mock('../../setup/prepare', () => ({ prepareOrExit: () => Promise.resolve() }));
jest.mock('../../setup/npm-parent', () => ({ endWithNpm: () => undefined }));
jest.mock('../../dist/src/cli/main.js', () => ({ main }), { virtual: true });
jest.mock('../../dist/src/cli/run/example.js', () => jest.requireActual('../../src/cli/run/example') as unknown, {
  virtual: true,
});

/** What `npm start -- …` asks of the command line. */
async function asked(...argv: string[]): Promise<readonly string[]> {
  main.mockClear();
  const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as unknown as typeof process.exit);
  const before = process.argv;
  process.argv = ['node', 'setup/start.js', ...argv];
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a program that starts when it is loaded
    jest.isolateModules(() => require('../../setup/start.js') as unknown);
    await eventually('it has ended', () => exit.mock.calls.length > 0);
    expect(exit).toHaveBeenCalledWith(0);
  } finally {
    process.argv = before;
    exit.mockRestore();
  }
  return main.mock.calls[0]?.[0] ?? [];
}

const EXAMPLE = path.resolve(__dirname, '../../examples/lighthouse.fountain');

test.each([[[]], [['--json']], [['--detach', '--json']]])(
  'npm start with %j names the example, so that other episodes do not change what it runs',
  async (argv) => {
    expect(await asked(...argv)).toEqual(['run', EXAMPLE, ...argv]);
    expect(fs.existsSync(EXAMPLE)).toBe(true);
  },
);

test.each([
  [['mine.fountain']],
  [['--json', 'mine.fountain']],
  [['--episode', 'mine']],
  [['--budget', '5']],
  [['--help']],
])('npm start with %j is callsheet run with that', async (argv) =>
  expect(await asked(...argv)).toEqual(['run', ...argv]),
);
