#!/usr/bin/env node
'use strict';
/* npm run crash: kills the worker at every point in turn, resumes, and compares (docs/crash.md). */
require('../setup/node-version').requireNode();

const { prepareOrExit } = require('../setup/prepare');

async function run() {
  await prepareOrExit((line) => process.stderr.write(`${line}\n`));
  require('./typescript');
  const { main } = require('../test/crash/kit/main.ts');
  process.exit(await main(process.argv.slice(2)));
}

run().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
