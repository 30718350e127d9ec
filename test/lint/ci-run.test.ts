import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const repository = path.resolve(__dirname, '../..');

interface Setting {
  /** What jest writes; undefined: it ends before it writes a report. */
  readonly report?: Readonly<Record<string, number>>;
  readonly testExit: number;
  readonly typesExit?: number;
}

/** A folder with the real .ci, and an npm that plays its part. */
function runWith({ report, testExit, typesExit = 0 }: Setting): { last: string; code: number | null; all: string } {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-ci-'));
  try {
    fs.cpSync(path.join(repository, '.ci'), path.join(root, '.ci'), { recursive: true });
    fs.mkdirSync(path.join(root, 'scripts'));
    fs.writeFileSync(path.join(root, 'scripts/check-workflow-bundle.js'), '');
    fs.mkdirSync(path.join(root, 'scripts/schemathesis'));
    fs.writeFileSync(path.join(root, 'scripts/schemathesis/run.js'), '');
    fs.mkdirSync(path.join(root, 'bin'));
    if (report !== undefined) fs.writeFileSync(path.join(root, 'report.json'), JSON.stringify(report));
    const npm = [
      '#!/usr/bin/env bash',
      'case "$*" in',
      '  *--outputFile=*)',
      '    for argument in "$@"; do case "$argument" in --outputFile=*) file="${argument#--outputFile=}" ;; esac; done',
      '    if [ -f report.json ]; then cp report.json "$file"; fi',
      `    exit ${testExit} ;;`,
      `  *types*) exit ${typesExit} ;;`,
      '  *) exit 0 ;;',
      'esac',
      '',
    ].join('\n');
    fs.writeFileSync(path.join(root, 'bin/npm'), npm, { mode: 0o755 });
    const run = spawnSync('bash', [path.join(root, '.ci/run')], {
      cwd: os.tmpdir(),
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path.join(root, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}` },
    });
    return { last: run.stdout.trimEnd().split('\n').at(-1) ?? '', code: run.status, all: run.stdout + run.stderr };
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

const green = { numPassedTests: 41, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

describe('.ci/run', () => {
  it('counts every test and each of the seven checks in its last line', () => {
    expect(runWith({ report: green, testExit: 0 })).toMatchObject({ last: '48 passed, 0 failed', code: 0 });
  });

  it('fails with one red test, and still runs the checks', () => {
    const red = { ...green, numPassedTests: 40, numFailedTests: 1 };
    expect(runWith({ report: red, testExit: 1 })).toMatchObject({ last: '47 passed, 1 failed', code: 1 });
  });

  it('counts a suite that could not run as one failure', () => {
    const broken = { ...green, numRuntimeErrorTestSuites: 1 };
    expect(runWith({ report: broken, testExit: 1 })).toMatchObject({ last: '48 passed, 1 failed', code: 1 });
  });

  it('fails when jest is red although no test is, as when servers do not end', () => {
    expect(runWith({ report: green, testExit: 1 })).toMatchObject({ last: '48 passed, 1 failed', code: 1 });
  });

  it('fails when the set-up ends before jest has begun', () => {
    expect(runWith({ testExit: 1 })).toMatchObject({ last: '7 passed, 1 failed', code: 1 });
  });

  it('fails when no test ran, however green that looks', () => {
    const nothing = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
    expect(runWith({ report: nothing, testExit: 0 })).toMatchObject({ last: '7 passed, 1 failed', code: 1 });
  });

  it('fails with one failed check, whose name it says', () => {
    const run = runWith({ report: green, testExit: 0, typesExit: 2 });
    expect(run).toMatchObject({ last: '47 passed, 1 failed', code: 1 });
    expect(run.all).toContain('== types: FAILED');
  });
});
