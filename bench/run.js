#!/usr/bin/env node
'use strict';
/* node bench/run.js NAME: runs bench/NAME/main.ts, on servers that are started for it. */
require('../setup/node-version').requireNode();

const { prepareOrExit } = require('../setup/prepare');

async function run([name = '', ...args]) {
  if (!/^[a-z]+$/.test(name)) throw new Error('node bench/run.js NAME: which bench?');
  await prepareOrExit((line) => process.stderr.write(`${line}\n`));
  require('../scripts/typescript');
  const { main } = require(`./${name}/main.ts`);
  process.exit(await main(args));
}

run(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
