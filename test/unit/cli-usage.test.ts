import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { problemBody } from '../../src/bodies/problem';
import { main } from '../../src/cli/main';
import { cliDependencies } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

/** Every stack and operation is refused here: what fails must fail before anything starts. */
async function call(...argv: string[]) {
  const double = terminalDouble({ json: argv.includes('--json') });
  const code = await main(argv, double.streams, cliDependencies());
  return { code, out: double.out(), err: double.err() };
}

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-cli-'));
  fs.writeFileSync(path.join(folder, 'empty.fountain'), '');
  fs.writeFileSync(path.join(folder, 'blank.txt'), '\uFEFF \r\n\t\n');
  fs.writeFileSync(path.join(folder, 'binary.fountain'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
  fs.writeFileSync(path.join(folder, 'ok.fountain'), 'INT. ROOM - DAY\n\nA lamp burns.\n');
  fs.mkdirSync(path.join(folder, 'folder.fountain'));
  fs.truncateSync(openNew(path.join(folder, 'huge.txt')), 65 * 1024 * 1024);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function openNew(file: string): string {
  fs.writeFileSync(file, '');
  return file;
}

describe('bad input ends before anything is started, with its code and what to do', () => {
  test.each([
    ['an unknown command', ['nonsense'], "unknown command 'nonsense'"],
    ['an unknown option', ['status', '--bogus'], "unknown option '--bogus'"],
    ['a missing argument', ['explain'], "missing required argument 'step'"],
    ['too many arguments', ['status', 'extra'], 'too many arguments'],
    ['an unknown step', ['run', '--steps', 'nope'], 'step.unknown'],
    ['an unknown step among items', ['run', '--items', 'nope:1'], 'step.unknown'],
    ['items without a step', ['run', '--items', 'S1'], 'is not STEP:ITEM'],
    ['an empty list of steps', ['run', '--force', ','], 'Name at least one step'],
    ['a negative budget', ['run', '--budget', '-1'], 'US dollars'],
    ['a budget that is no number', ['budget', 'set', '1e9'], 'US dollars'],
    ['steps and from together', ['run', '--steps', 'scene_detail', '--from', 'scene_detail'], 'both choose steps'],
    ['a bad project id', ['run', '--project', '../etc', '--episode', 'e1'], 'id.invalid'],
    ['a bad episode id', ['run', '--episode', 'a/b'], 'id.invalid'],
    ['an episode id of 65 characters', ['run', '--episode', 'e'.repeat(65)], 'id.invalid'],
    ['a version that is no number', ['snapshots', 'scene_detail', 'show', 'x'], 'whole number'],
    ['diff with one version', ['snapshots', 'scene_detail', 'diff', '1'], 'diff N M'],
    ['a release of nothing', ['release'], 'either a step or a row'],
    ['a release of two things', ['release', 'scene_detail', '--row', 'r1'], 'either a step or a row'],
    ['force without a reason', ['release', 'scene_detail', '--force', '--run', 'r'], '--force needs --reason'],
    [
      'force without the run that was seen',
      ['release', 'scene_detail', '--force', '--reason', 'ended it'],
      '--force needs --run',
    ],
    ['an unknown setting', ['config', 'get', 'nope'], 'config.unknown_key'],
    ['set without a value', ['config', 'set', 'style'], 'config set KEY VALUE'],
    ['a decision that is none', ['settle', 'p1', 'maybe'], 'buy-again or give-up'],
  ])('%s', async (_what, argv, message) => {
    const { code, out, err } = await call(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).toMatch(/^next: ./m);
  });

  test.each([
    ['missing.fountain', 'screenplay.not_found'],
    ['folder.fountain', 'screenplay.not_found'],
    ['empty.fountain', 'screenplay.empty'],
    ['blank.txt', 'screenplay.empty'],
    ['binary.fountain', 'screenplay.not_text'],
    ['huge.txt', 'screenplay.too_large'],
  ])('the screenplay %s: %s', async (name, expected) => {
    const { code, err } = await call('run', path.join(folder, name));
    expect({ code, said: err.split(':')[0] }).toEqual({ code: 2, said: `error ${expected}` });
  });

  test('--detach where nothing is kept running', async () => {
    const { code, err } = await call('run', path.join(folder, 'ok.fountain'), '--detach');
    expect(code).toBe(2);
    expect(err).toContain('error stack.not_running');
  });

  test('with --json the problem is all that stands on standard output', async () => {
    const { code, out } = await call('run', path.join(folder, 'binary.fountain'), '--json');
    expect(code).toBe(2);
    expect(problemBody.parse(JSON.parse(out))).toMatchObject({ code: 'screenplay.not_text', status: 400 });
  });

  test('a file name with escape codes cannot steer the terminal', async () => {
    const { err } = await call('run', '/\u001b[2Jnowhere.fountain');
    expect(err).not.toContain('\u001b');
  });
});

test('a wrong setting of the environment names the variable and ends with 2', async () => {
  const double = terminalDouble();
  const dependencies = cliDependencies({}, { STEP_LEASE_SECONDS: 'soon' });
  expect(await main(['status'], double.streams, dependencies)).toBe(2);
  expect(double.err()).toContain('STEP_LEASE_SECONDS');
});

test('help lists every command and the exit codes, and ends with 0; no command at all ends with 2', async () => {
  const { code, out } = await call('--help');
  expect(code).toBe(0);
  const commands =
    'run redo plan status cancel locks release purchases settle explain snapshots export config budget audit migrate up worker doctor';
  for (const command of commands.split(' ')) expect(out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  expect(out).toContain('0 done, 1 failed, 2 usage, 3 blocked, 4 cancelled, 5 partial');
  expect((await call()).code).toBe(2);
});

test('a bug says that it is one, with its stack, and ends with 1', async () => {
  const double = terminalDouble();
  expect(await main(['status'], double.streams, cliDependencies())).toBe(1);
  expect(double.err()).toMatch(/error internal\.unexpected: Error: openStack was not expected here/);
  expect(double.err()).toContain('cli-dependencies');
});
