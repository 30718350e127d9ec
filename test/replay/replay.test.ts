import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../src/config';
import { HISTORIES } from '../support/history-file';
import { workflowBundle } from '../support/stage';

/** Every recorded history replays on the workflows of this source tree (spec 15, cases C41). */
const PROTECTED = [
  'blocked-at-the-start',
  'cancelling-is-shown',
  'cancel-all-keeps-the-call-in-flight',
  'cancel-by-temporal-closes-as-cancelled',
  'cancel-of-a-step-ahead',
  'closing-waits-for-a-row-in-doubt',
  'failed-step-holds-back-what-needs-it',
  'handed-back-at-a-shutdown',
  'nothing-to-run',
  'run-all-with-editor-handover',
  'single-step-forced',
  'takeover-after-kill',
];

let folder: string;
let code: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'callsheet-replay-'));
  ({ code } = await workflowBundle());
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What each history says to a bundle: null where it replays. */
async function replay(
  bundle: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Record<string, string | null>> {
  const file = path.join(folder, `${Math.random().toString(36).slice(2)}.js`);
  await writeFile(file, bundle);
  const script = path.join(__dirname, '../support/replay-histories.cjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, HISTORIES], {
    env: childEnvironment(environment),
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"name":')); // the SDK's core writes there, too
  return Object.fromEntries(
    lines
      .map((line) => JSON.parse(line) as { name: string; error: string | null })
      .map(({ name, error }) => [name, error]),
  );
}

/** The bundle with one thing changed, on purpose. */
function mutated(from: string, to: string): string {
  const pieces = code.split(from);
  expect(pieces.length).toBeGreaterThan(1);
  return pieces.join(to);
}

it('there is a history for every behaviour that is promised, and none without a name', async () => {
  const files = (await readdir(HISTORIES)).map((file) => path.parse(file).name).sort();
  expect(files).toEqual(expect.arrayContaining(PROTECTED));
});

it('every history replays', async () => {
  const results = await replay(code);
  expect(Object.keys(results)).toEqual(expect.arrayContaining(PROTECTED));
  expect(Object.entries(results).filter(([, error]) => error !== null)).toEqual([]);
});

it('every history replays in another time zone and language', async () => {
  const results = await replay(code, { TZ: 'Asia/Seoul', LANG: 'ko_KR.UTF-8', LC_ALL: 'ko_KR.UTF-8' });
  expect(Object.entries(results).filter(([, error]) => error !== null)).toEqual([]);
});

it.each([
  [
    'one activity call is swapped for another',
    '.announceStep(',
    '.openRun(',
    ['run-all-with-editor-handover', 'single-step-forced', 'takeover-after-kill'],
  ],
  ['the refresh of an editor step is left out', '.refreshStep(', '.runStep(', ['run-all-with-editor-handover']],
  [
    'a cancel is not written down any more',
    '.recordCancel(',
    '.closeRun(',
    ['cancel-all-keeps-the-call-in-flight', 'cancel-by-temporal-closes-as-cancelled', 'cancel-of-a-step-ahead'],
  ],
])('a replay fails where %s', async (_what, from, to, broken) => {
  const results = await replay(mutated(from, to));
  for (const name of broken) expect(results[name]).toMatch(/^DeterminismViolationError/);
  expect(results['nothing-to-run']).toBeNull();
});

it('the length of a wait may change without `patched`', async () => {
  const length = /return Math\.round\(Math\.max\(sweepSeconds [^;]+;/;
  expect(code).toMatch(length);
  const results = await replay(code.replace(length, 'return 123_000;'));
  expect(results['closing-waits-for-a-row-in-doubt']).toBeNull();
});

it('a change that is not behind `patched` breaks what ran before it, and leaves runs that never met it', async () => {
  const guard = /\(0,\s*[\w$.]+\.patched\)\(['"]show-cancelling['"]\)/;
  expect(code).toMatch(guard);
  const results = await replay(code.replace(guard, 'true'));
  expect(results['cancel-all-keeps-the-call-in-flight']).toMatch(/^DeterminismViolationError/);
  expect(results['run-all-with-editor-handover']).toBeNull();
});
