#!/usr/bin/env node
'use strict';
require('../setup/node-version').requireNode();

const { prepareOrExit } = require('../setup/prepare');

async function run() {
  // Standard error: what --json prints on standard output stays whole.
  await prepareOrExit((line) => process.stderr.write(`${line}\n`));
  const { main } = require('../dist/src/cli/main.js');
  process.exit(await main(process.argv.slice(2)));
}

run().catch((error) => {
  console.error(error);
  process.exit(1);
});
