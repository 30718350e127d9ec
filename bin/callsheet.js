#!/usr/bin/env node
'use strict';
require('../setup/node-version').requireNode();

const { exitWhenRead } = require('../setup/exit');
const { prepareOrExit } = require('../setup/prepare');

async function run() {
  // Standard error: what --json prints on standard output stays whole.
  await prepareOrExit((line) => process.stderr.write(`${line}\n`));
  const { main } = require('../dist/src/cli/main.js');
  await exitWhenRead(await main(process.argv.slice(2)));
}

run().catch((error) => {
  console.error(error);
  return exitWhenRead(1);
});
