'use strict';
/**
 * Undoes, one by one, the lines that guard the rescan (spec 30), and shows that a test fails for each: `npm run mutants:rescan
 * [-- part of a name]`. Works in a copy, so that the source tree is never touched. Exits 1 if a mutant survives, if the wrong test
 * fails, or if a test fails without any mutant.
 *
 * Takes TEST_DATABASE_URL and TEST_TEMPORAL_ADDRESS as the tests do; without them each jest run starts servers of its own.
 */
const childProcess = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const root = path.resolve(__dirname, '..');

/** `kills`: words of the titles that must fail. `only`: no other test may see it. `tests`: what is run; `time`: with skipped time. */
const MUTANTS = [
  {
    name: 'claim waits for rows that are held: no SKIP LOCKED',
    file: 'src/rescan/claim.ts',
    from: 'FOR UPDATE SKIP LOCKED',
    to: 'FOR UPDATE',
    tests: ['test/postgres/rescan-claim'],
    kills: 'passes by a row that another connection holds, claims its neighbours',
  },
  {
    name: 'claim locks nothing',
    file: 'src/rescan/claim.ts',
    from: 'FOR UPDATE SKIP LOCKED',
    to: '',
    tests: ['test/postgres/rescan-claim'],
    kills: 'passes by a row that another connection holds, claims its neighbours',
  },
  {
    name: 'finalize waits for rows that are held: no SKIP LOCKED',
    file: 'src/rescan/finalize.ts',
    from: 'FOR UPDATE SKIP LOCKED',
    to: 'FOR UPDATE',
    tests: ['test/postgres/rescan-finalize'],
    kills: 'passes by a row that another connection holds, and fails its neighbours',
  },
  {
    name: "finalize's CASE is a blacklist",
    file: 'src/rescan/finalize.ts',
    from: "CASE WHEN state.embedding_status IN ('PENDING', 'PROCESSING') THEN",
    to: "CASE WHEN state.embedding_status NOT IN ('COMPLETED') THEN",
    tests: ['test/postgres/rescan-finalize'],
    kills: 'never overwrites CANCELLED',
  },
  {
    name: 'finalize overwrites COMPLETED',
    file: 'src/rescan/finalize.ts',
    from: "CASE WHEN state.embedding_status IN ('PENDING', 'PROCESSING') THEN",
    to: "CASE WHEN state.embedding_status IN ('PENDING', 'PROCESSING', 'COMPLETED') THEN",
    tests: ['test/postgres/rescan-finalize'],
    kills: 'keeps COMPLETED ones',
  },
  {
    name: 'finalize does not ask whether a row is expired',
    file: 'src/rescan/finalize.ts',
    from: ' AND ${expired(settings)}',
    to: '',
    tests: ['test/postgres/rescan-finalize'],
    kills: 'leaves alone the exhausted row that is not yet expired',
  },
  {
    name: 'finalize takes only rows at exactly the maximum',
    file: 'src/rescan/finalize.ts',
    from: 'retry_count >= ',
    to: 'retry_count = ',
    tests: ['test/postgres/rescan-finalize'],
    kills: 'takes every count from the maximum up',
  },
  {
    name: 'one expiry for both stages',
    file: 'src/rescan/expired.ts',
    from: "'PROCESSING' IN (embedding_status, summary_status) AND updated_at < ${ago(processingExpiryMs)}",
    to: "'PROCESSING' IN (embedding_status, summary_status) AND updated_at < ${ago(pendingExpiryMs)}",
    tests: ['test/postgres/rescan-claim'],
    kills: 'splits rows of three ages by the two configured thresholds',
  },
  {
    name: 'claim leaves updated_at',
    file: 'src/rescan/claim.ts',
    from: '          updated_at = now(),\n',
    to: '',
    tests: ['test/postgres/rescan-claim', 'test/postgres/rescan-round'],
    kills: 'is asked for in that round, and failed by a later one only',
  },
  {
    name: 'claim counts no retry',
    file: 'src/rescan/claim.ts',
    from: 'retry_count = state.retry_count + 1',
    to: 'retry_count = state.retry_count',
    tests: ['test/postgres/rescan-claim'],
    kills: 'counts a retry',
  },
  {
    name: 'claim comes before finalize',
    file: 'src/rescan/round.ts',
    from: 'await finalizeAll(steps, options, tally);\n  const claimed = stop.aborted ? [] : await steps.claim();',
    to: 'const claimed = stop.aborted ? [] : await steps.claim();\n  await finalizeAll(steps, options, tally);',
    tests: ['test/unit/rescan-round', 'test/postgres/rescan-(?!counts)'],
    kills: 'finalizes before it claims',
    // What really keeps a row from being failed in the round that claims it is its refreshed time. Tests of calls see it, no other;
    // rescan-counts, which lets the claim fail after a finalize, is one, and left out.
    only: 'test/unit/rescan-round',
  },
  {
    name: 'the interval runs from the beginning of a round: fixed rate',
    file: 'src/workflows/rescan.ts',
    from: 'this.dueAtMs = Date.now() + this.intervalMs;',
    to: 'this.dueAtMs = this.lastRound!.startedAtMs + this.intervalMs;',
    tests: ['test/time/rescan'],
    time: true,
    kills: 'runs from the end of a slow round',
  },
  {
    name: 'requests are sent inside a transaction',
    file: 'src/rescan/open-round.ts',
    from: 'ask: (contextId, stop) => askAi(deps, contextId, stop),',
    to: 'ask: (contextId, stop) => deps.db.transaction().execute((tx) => askAi({ ...deps, db: tx }, contextId, stop)),',
    tests: ['test/postgres/rescan-round'],
    kills: 'has no transaction open',
  },
  {
    name: 'a failed request is not kept',
    file: 'src/contexts/ask.ts',
    from: 'await keepFailure(deps, contextId, asked);',
    to: '',
    tests: ['test/postgres/rescan-losses'],
    kills: 'is kept as the failure',
  },
  {
    name: 'all stages are asked for, finished ones too',
    file: 'src/contexts/ask.ts',
    from: 'buildAiRequest(content, unfinished, requestId)',
    to: "buildAiRequest(content, ['embedding', 'summary'], requestId)",
    tests: ['test/postgres/rescan-round'],
    kills: 'with the unfinished stages only',
  },
  {
    name: 'a deleted context is asked for',
    file: 'src/contexts/read-owed.ts',
    from: ' && row.deleted_at === null',
    to: '',
    tests: ['test/postgres/rescan-round'],
    kills: 'deleted, with its work still owed',
  },
  {
    name: 'the work of a deleted context stays owed',
    file: 'src/rescan/round.ts',
    from: 'await steps.endOrphan(contextId);',
    to: '',
    tests: ['test/postgres/rescan-round'],
    kills: 'deleted, with its work still owed',
  },
  {
    name: 'a report for other content counts',
    file: 'src/contexts/report-stage.ts',
    from: 'if (contentHash(context) !== report.contentHash)',
    to: "if (report.contentHash === '')",
    tests: ['test/postgres/contexts-reports'],
    kills: 'about other content changes nothing',
  },
  {
    name: 'a failure alone refreshes the time',
    file: 'src/contexts/report-stage.ts',
    from: '.set({ last_failure: storableReason(`${stage} failed: ${reason}`) })',
    to: '.set({ last_failure: storableReason(`${stage} failed: ${reason}`), updated_at: sql<Date>`now()` })',
    tests: ['test/postgres/contexts-reports'],
    kills: 'not for a failure alone',
  },
  {
    name: 'Temporal repeats a round',
    file: 'src/workflows/rescan-profile.ts',
    from: 'retry: { maximumAttempts: 1 }',
    to: "retry: { maximumAttempts: 2, initialInterval: '10ms' }",
    tests: ['test/workflows/rescan.test'],
    kills: 'never has Temporal repeat a failed round',
  },
  {
    name: 'keeping a failure waits for ever for a row that is held',
    file: 'src/contexts/record-failure.ts',
    from: "return shortTransaction(db, 'Keeping why a request failed', async (tx) => {",
    to: 'return db.transaction().execute(async (tx) => {',
    tests: ['test/postgres/rescan-held-rows'],
    kills: 'hangs no request that failed',
  },
  {
    name: 'counting waits for ever for a row that is held',
    file: 'src/contexts/counters.ts',
    from: "await shortTransaction(db, 'Counting', (tx) =>",
    to: 'await db.transaction().execute((tx) =>',
    tests: ['test/postgres/rescan-held-rows'],
    kills: 'hangs nobody who counts',
  },
  {
    name: 'a round that hangs keeps its place',
    file: 'src/activities/rescan-round.ts',
    from: 'await giveUpAfterStop(round(deps, request, stop), stop, STOPS_WITHIN_MS);',
    to: 'await round(deps, request, stop);',
    tests: ['test/unit/rescan-activity'],
    kills: 'gives its place back',
  },
  {
    name: 'a worker does not tell a running loop its settings',
    file: 'src/workflows/rescan.ts',
    from: 'if (areSettings(settings)) this.takeSettings(settings);',
    to: '',
    tests: ['test/workflows/rescan.test'],
    kills: 'takes the settings of a worker that starts',
  },
  {
    name: 'a signal that carries no settings stops the loop for good',
    file: 'src/workflows/rescan.ts',
    from: 'if (areSettings(settings)) this.takeSettings(settings);',
    to: 'this.takeSettings(settings);',
    tests: ['test/workflows/rescan.test'],
    kills: 'takes the settings of a worker that starts',
  },
  {
    name: 'a report that the API has no time for is lost',
    file: 'src/ai-service/reporter.ts',
    from: ' || NOT_NOW.has(response.status)',
    to: '',
    tests: ['test/unit/ai-service-reports'],
    kills: 'answers with 429 is not lost',
  },
  {
    name: 'Retry-After is not heeded',
    file: 'src/ai-service/reporter.ts',
    from: 'Math.max(waitMs, attempted.askedToWaitMs)',
    to: 'waitMs',
    tests: ['test/unit/ai-service-reports'],
    kills: 'comes again no sooner than Retry-After says, in seconds',
  },
  {
    name: 'a request is read and built before it waits for its turn',
    file: 'src/contexts/ask.ts',
    from: 'await deps.client.inTurn((send) => ask(deps, contextId, (request) => send(request, stop)));',
    to: 'await ask(deps, contextId, (request) => deps.client.inTurn((send) => send(request, stop)));',
    tests: ['test/postgres/contexts.test'],
    kills: 'as things are when its turn has come',
  },
  {
    name: 'a loop that has ended answers for itself',
    file: 'src/temporal/rescan-client.ts',
    from: ", queryRejectCondition: 'NOT_OPEN'",
    to: '',
    tests: ['test/workflows/rescan.test'],
    kills: 'does not pass for one that waits',
  },
  {
    name: 'a worker starts the loop once',
    file: 'src/rescan-worker.ts',
    from: 'void keepStarted(options, AbortSignal.any([stop, ended.signal]));',
    to: '',
    tests: ['test/workflows/rescan-worker'],
    kills: 'starts the loop again that somebody has terminated',
  },
  {
    name: 'lists read whole texts',
    file: 'src/operations/contexts/context-rows.ts',
    from: ".select(['context.id', ",
    to: ".select(['context.body', 'context.id', ",
    tests: ['test/postgres/contexts-lists'],
    kills: 'by no list and by no status',
  },
  {
    name: 'metrics read the failed contexts',
    file: 'src/operations/rescan/open.ts',
    from: 'rescanMetricsText(await rescanFigures(deps))',
    to: 'rescanMetricsText(await rescanStatus({ ...deps, loop: null }))',
    tests: ['test/postgres/contexts-lists'],
    kills: 'is left alone by a scrape',
  },
  {
    name: 'a list of contexts has no limit of its own',
    file: 'src/operations/contexts/open.ts',
    from: 'limit = CONTEXTS_LISTED }',
    to: 'limit }',
    tests: ['test/postgres/contexts-lists'],
    kills: 'has the first ten thousand',
  },
  {
    name: 'a round that fails counts nothing of what it did',
    file: 'src/rescan/round.ts',
    from: '  } finally {\n    const failed',
    to: '  } catch (error) {\n    throw error;\n  }\n  {\n    const failed',
    tests: ['test/postgres/rescan-counts'],
    kills: 'what they did until they failed',
  },
  {
    name: 'a round is counted twice where its worker dies after counting',
    file: 'src/contexts/counters.ts',
    from: 'greatest(rescan_counter.value, excluded.value)',
    to: 'rescan_counter.value + excluded.value',
    tests: ['test/postgres/rescan-counts'],
    kills: 'each counted once',
  },
  {
    name: 'rounds that failed without a word wait for one that ends well',
    file: 'src/activities/rescan-round.ts',
    from: '    await keepRounds(deps, { ...rounds, failed: rounds.failed + 1 });\n',
    to: '',
    tests: ['test/postgres/rescan-counts'],
    kills: 'have the failed ones at once',
  },
  {
    name: 'a paused loop never looks at its history',
    file: 'src/workflows/rescan.ts',
    from: 'condition(() => !this.paused || this.runNow || isFull())',
    to: 'condition(() => !this.paused || this.runNow)',
    tests: ['test/workflows/rescan.test'],
    kills: 'paused goes on as a new run, too',
  },
  {
    name: 'the time that looks at the loop take does not count',
    file: 'src/operations/rescan/act.ts',
    from: 'const untilMs = performance.now() + withinMs;',
    to: 'const untilMs = performance.now() + withinMs * (5_200 / POLL_MS);',
    tests: ['test/unit/rescan-run'],
    kills: 'waited for no longer than was said',
  },
];

/** A copy to work in: sources copied, packages linked. */
function makeCopy() {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-mutants-'));
  for (const name of [
    'src',
    'migrations',
    'test',
    'setup',
    'lint',
    'scripts',
    'docs',
    'package.json',
    'tsconfig.json',
    'jest.config.js',
    'jest.time.config.js',
  ])
    fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Runs tests in the copy; answers what failed, as `file › title`. */
function failuresOf(copy, { tests, time }) {
  const report = path.join(copy, 'report.json');
  fs.rmSync(report, { force: true });
  const config = path.join(copy, time ? 'jest.time.config.js' : 'jest.config.js');
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const patterns = tests.map((test) => test.replaceAll('.', '[.]'));
  const run = childProcess.spawnSync(
    process.execPath,
    [jest, '--config', config, '--json', `--outputFile=${report}`, '--silent', '--forceExit', ...patterns],
    {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (!fs.existsSync(report)) throw new Error(`jest did not run:\n${run.stderr.slice(-2_000)}`);
  const { testResults, numTotalTests } = JSON.parse(fs.readFileSync(report, 'utf8'));
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  if (broken.length > 0) throw new Error(`A suite could not run:\n${broken[0].message.slice(0, 2_000)}`);
  if (numTotalTests === 0) throw new Error(`There are no tests at ${tests.join(', ')}.`);
  return testResults.flatMap((file) =>
    file.assertionResults
      .filter((one) => one.status === 'failed')
      .map((one) => ({ file: path.relative(fs.realpathSync(copy), file.name), title: one.fullName })),
  );
}

/** Puts the mutant in, runs, takes it out. Answers what is wrong; null: a test saw it. */
function tryMutant(copy, mutant) {
  const file = path.join(copy, mutant.file);
  const source = fs.readFileSync(file, 'utf8');
  if (source.split(mutant.from).length !== 2) return `its line is not there exactly once in ${mutant.file}`;
  fs.writeFileSync(
    file,
    source.replace(mutant.from, () => mutant.to),
  );
  try {
    const failures = failuresOf(copy, mutant);
    if (failures.length === 0) return 'it survived: no test failed';
    if (!failures.some(({ title }) => title.includes(mutant.kills)))
      return `other tests failed, not "${mutant.kills}": ${failures.map(({ title }) => title).join('; ')}`;
    const others = mutant.only === undefined ? [] : failures.filter((failure) => !failure.file.startsWith(mutant.only));
    return others.length === 0
      ? null
      : `more than ${mutant.only} saw it: ${others.map(({ title }) => title).join('; ')}`;
  } finally {
    fs.writeFileSync(file, source);
  }
}

function main() {
  const wanted = process.argv[2];
  const mutants = MUTANTS.filter(({ name }) => wanted === undefined || name.includes(wanted));
  if (mutants.some(({ time }) => time)) {
    const server = require('../setup/time-server').findTimeServer((line) => process.stderr.write(`${line}\n`));
    if (server !== undefined) process.env.TEST_TIME_SERVER = server;
  }
  const copy = makeCopy();
  let wrong = 0;
  try {
    for (const time of [false, true]) {
      const tests = [...new Set(mutants.filter((one) => Boolean(one.time) === time).flatMap((one) => one.tests))];
      if (tests.length === 0) continue;
      const failures = failuresOf(copy, { tests, time });
      for (const { title } of failures) console.log(`FAILS WITHOUT ANY MUTANT  ${title}`);
      wrong += failures.length;
    }
    for (const mutant of mutants) {
      const problem = tryMutant(copy, mutant);
      console.log(problem === null ? `killed    ${mutant.name}` : `WRONG     ${mutant.name}: ${problem}`);
      if (problem !== null) wrong += 1;
    }
  } finally {
    fs.rmSync(copy, { recursive: true, force: true });
  }
  console.log(`${mutants.length} mutants, ${wrong} wrong`);
  process.exitCode = wrong === 0 && mutants.length > 0 ? 0 : 1;
}

main();
